// Whole numbers, packed: base 128, low digits first, the top bit of a byte says that more follow.

/** The bytes of a base64 text. */
export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Reads packed numbers one after the other; exact up to 2^53. */
export class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** The next number; throws `RangeError` where the bytes end within it. */
  next(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (this.at >= this.bytes.length) throw new RangeError("packed numbers are cut short");
      const byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  }

  /** Whether all has been read. */
  get done(): boolean {
    return this.at === this.bytes.length;
  }
}
