// The timeline of a page: columns of spans, their tracks and lanes, who waited for whom.

import { Reader, clean, fromBase64 } from "../common/index.ts";
import type { Lane } from "./lanes.ts";
import { busyOf, firstFrom, lanesOf } from "./lanes.ts";
import type {
  ActivityData,
  HazardData,
  PageData,
  SimulationData,
  StallData,
  TrackData,
} from "./data.ts";

/** A track and its lanes; its spans are [first, last) of the table; `busy` when any of them runs. */
export interface Track extends TrackData {
  label: string;
  first: number;
  last: number;
  lanes: Lane[];
  busy: Lane;
}

/** A signal and the wait that it ends, as instants of two spans. */
export interface Flow {
  signal: number;
  wait: number;
  from: number;
  to: number;
  name: string;
}

/** A piece of the critical path, and the span that shows it (-1: none). */
export interface Step {
  command: number;
  what: string;
  start: number;
  end: number;
  span: number;
}

/** A hazard, and the span of its later command (-1: none). */
export interface Hazard extends HazardData {
  span: number;
}

/** Everything that is drawn; times are picoseconds from the start of the window. */
export class Model {
  readonly length: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  readonly kinds: Uint32Array;
  readonly rows: Uint16Array;
  readonly tracks: Track[];
  readonly activities: ActivityData[];
  readonly flows: Flow[];
  readonly commands: Uint32Array | null;
  readonly simulation: SimulationData | null;
  readonly steps: Step[];
  readonly hazards: Hazard[];
  private readonly stalls = new Map<number, StallData>();
  private readonly flowsOf = new Map<number, number[]>();
  private readonly ofCommand = new Map<number, number[]>();

  constructor(readonly data: PageData) {
    const count = data.tracks.reduce((sum, track) => sum + track.spans, 0);
    this.length = data.window * data.unit;
    this.activities = data.activities.map(cleaned);
    this.starts = new Float64Array(count);
    this.ends = new Float64Array(count);
    this.kinds = new Uint32Array(count);
    this.rows = new Uint16Array(count);
    this.readSpans(new Reader(fromBase64(data.spans)));
    this.tracks = this.makeTracks();
    this.flows = this.readFlows(new Reader(fromBase64(data.flows)));
    this.simulation = data.simulation;
    this.commands = data.simulation ? this.readCommands(data.simulation.span_commands) : null;
    for (const stall of data.simulation?.stalls ?? []) this.stalls.set(stall.span, stall);
    this.index();
    this.steps = (data.simulation?.path ?? []).map((step) => ({
      ...step,
      span: this.bestSpan(step.command, step.start, step.end),
    }));
    this.hazards = (data.simulation?.hazards ?? []).map((hazard) => ({
      ...hazard,
      span: this.shownBy(hazard.command),
    }));
  }

  /** How many spans there are. */
  get count(): number {
    return this.starts.length;
  }

  /** What a span is. */
  activity(span: number): ActivityData {
    return this.activities[this.kinds[span]];
  }

  /** The name of a span, also where it has none. */
  name(span: number): string {
    return this.activity(span).name || "(no name)";
  }

  /** The place of the track that a span is on. */
  trackOf(span: number): number {
    let low = 0;
    let high = this.tracks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.tracks[middle].last > span) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The flows that start or end at a span. */
  flowsAt(span: number): Flow[] {
    return (this.flowsOf.get(span) ?? []).map((at) => this.flows[at]);
  }

  /** The spans of a command of a simulation, in the order of the table. */
  spansOf(command: number): readonly number[] {
    return this.ofCommand.get(command) ?? [];
  }

  /** The command that a span belongs to; -1: none. */
  commandOf(span: number): number {
    return this.commands ? this.commands[span] - 1 : -1;
  }

  /** The span of a command that shares most with [start, end), else its last before; -1: none. */
  bestSpan(command: number, start: number, end: number): number {
    let best = -1;
    let most = -Infinity;
    for (const span of this.spansOf(command)) {
      const shared = Math.min(this.ends[span], end) - Math.max(this.starts[span], start);
      if (shared > most) [best, most] = [span, shared];
    }
    return best;
  }

  /** The span that shows best what a command does: its longest that is no stall; -1: none. */
  shownBy(command: number): number {
    const lasts = (span: number): number => this.ends[span] - this.starts[span];
    return this.spansOf(command)
      .filter((span) => !this.stalls.has(span))
      .reduce((best, span) => (best < 0 || lasts(span) > lasts(best) ? span : best), -1);
  }

  /** The span that tells most of a command: where its engine stood, else what shows it best. */
  tellingSpan(command: number): number {
    const spans = this.spansOf(command);
    const stood = spans.find(
      (span) => !["slots", "pfp", undefined].includes(this.stallOf(span)?.reason),
    );
    return stood ?? [this.shownBy(command), spans[0], -1].find((span) => span >= 0) ?? -1;
  }

  /** Why an engine or a work stood, where a span is a stall. */
  stallOf(span: number): StallData | undefined {
    return this.stalls.get(span);
  }

  /** The span of a command at which what waited for it could go on: its last to end by `time`. */
  causingSpan(command: number, time: number): number {
    const own = this.spansOf(command).filter((span) => !this.stalls.has(span));
    const done = own.filter((span) => this.ends[span] <= time);
    const latest = (best: number, span: number): number =>
      best < 0 || this.ends[span] > this.ends[best] ? span : best;
    return (done.length ? done : own.slice(0, 1)).reduce(latest, -1);
  }

  /** How long nothing was on a span's track before it, in its lane 0; 0 for the first. */
  idleBefore(span: number): number {
    const lane = this.tracks[this.trackOf(span)].lanes[this.rows[span]];
    const at = firstFrom(lane.starts, this.starts[span]);
    return this.rows[span] === 0 && at > 0 ? this.starts[span] - lane.ends[at - 1] : 0;
  }

  private readSpans(reader: Reader): void {
    const { unit, tracks } = this.data;
    let at = 0;
    for (const track of tracks) {
      let start = 0;
      for (let number = 0; number < track.spans; number++, at++) {
        start += reader.next();
        this.starts[at] = start * unit;
        this.ends[at] = (start + reader.next()) * unit;
        this.kinds[at] = reader.next();
      }
    }
    if (!reader.done) throw new RangeError("more spans than the tracks hold");
  }

  private makeTracks(): Track[] {
    let first = 0;
    return this.data.tracks.map((data) => {
      const last = first + data.spans;
      const lanes = lanesOf(this, first, last, this.rows);
      const name = clean(data.name);
      const group = clean(data.group);
      const busy = busyOf(this, first, last, (span) => this.activity(span).waits);
      const label = `${group} ${name}`.trim();
      const track = { ...data, name, group, label, first, last, lanes, busy };
      first = last;
      return track;
    });
  }

  private readFlows(reader: Reader): Flow[] {
    const found: Flow[] = [];
    while (!reader.done) {
      const signal = reader.next();
      const wait = reader.next();
      const edges = reader.next();
      const name = clean(this.data.flow_names[reader.next()]);
      const from = (edges & 1 ? this.ends : this.starts)[signal];
      const to = (edges & 2 ? this.ends : this.starts)[wait];
      found.push({ signal, wait, from, to, name });
    }
    return found;
  }

  private readCommands(text: string): Uint32Array {
    const reader = new Reader(fromBase64(text));
    return Uint32Array.from({ length: this.count }, () => reader.next());
  }

  private index(): void {
    this.flows.forEach((flow, at) => {
      push(this.flowsOf, flow.signal, at);
      if (flow.wait !== flow.signal) push(this.flowsOf, flow.wait, at);
    });
    this.commands?.forEach((command, span) => {
      if (command) push(this.ofCommand, command - 1, span);
    });
  }
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function cleaned(activity: ActivityData): ActivityData {
  return {
    ...activity,
    name: clean(activity.name),
    category: clean(activity.category),
    resources: activity.resources.map(clean),
    notes: activity.notes.map(([key, value]) => [clean(key), clean(value)]),
  };
}
