// Times as people read them. A time is a count of the page's unit (a picosecond, or a nanosecond
// where a timeline is too long for exact picoseconds in a JavaScript number).

const UNITS: readonly (readonly [string, number])[] = [
  ["s", 1e12],
  ["ms", 1e9],
  ["us", 1e6],
  ["ns", 1e3],
  ["ps", 1],
];

/** Picoseconds of a unit's name. */
export function unitSize(name: string): number {
  return UNITS.find(([unit]) => unit === name)?.[1] ?? 1;
}

/** The largest unit of which `time` picoseconds are at least one. */
export function fittingUnit(time: number): string {
  const size = Math.abs(time);
  return UNITS.find(([, unit]) => size >= unit)?.[0] ?? "ps";
}

/** The unit that suits a table whose longest time this is: the same as in the text report. */
export function tableUnit(time: number): string {
  if (time < 10e6) return "ns";
  if (time < 10e9) return "us";
  return time < 100e12 ? "ms" : "s";
}

/** `1,234.567`: thousandths of a unit, rounded half up, by whole numbers. */
export function inUnit(time: number, unit: string): string {
  const size = unitSize(unit);
  const whole = Math.floor(Math.abs(time) / size);
  const rest = Math.abs(time) - whole * size;
  let thousandths = Math.floor((rest * 1000 + Math.floor(size / 2)) / size);
  const carried = thousandths === 1000 ? 1 : 0;
  if (carried) thousandths = 0;
  const fraction = String(thousandths).padStart(3, "0");
  return `${time < 0 ? "-" : ""}${grouped(whole + carried)}.${fraction}`;
}

/** `388.587 ms`: a time in the unit that fits it. */
export function shown(time: number): string {
  const unit = fittingUnit(time);
  return unit === "ps" ? `${grouped(time)} ps` : `${inUnit(time, unit)} ${unit}`;
}

/** `12,345`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `1 span`, `2 spans`. */
export function plural(count: number, one: string): string {
  return `${grouped(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** `26.77 %`, `-` of nothing. */
export function percent(part: number, whole: number): string {
  return whole ? `${((100 * part) / whole).toFixed(2)} %` : "-";
}

/** A step of 1, 2 or 5 times a power of ten that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5, 10]) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/** Labels of an axis in one unit, that of its largest time, with the digits that its step needs. */
export function tickLabels(largest: number, step: number): (time: number) => string {
  const unit = fittingUnit(Math.max(largest, 1));
  const size = unitSize(unit);
  const decimals = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step / size) - 1e-9)));
  return (time) => {
    const [whole, fraction] = (time / size).toFixed(decimals).split(".");
    return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${fraction ? `.${fraction}` : ""} ${unit}`;
  };
}
