/**
 * The ICC profile of sRGB (IEC 61966-2-1), version 4.2, small: what the colours of a document mean.
 * @see ICC.1:2004-10; colorants are adapted to D50
 */
export function srgbProfile(): Uint8Array {
  const curve = tag('para', [u16(3), u16(0), ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed)]);
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', text('sRGB')],
    ['cprt', text('CC0')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const bodies: Buffer[] = [];
  const offsets = new Map<Buffer, number>();
  let offset = 128 + 4 + 12 * tags.length;
  for (const [, body] of tags) {
    if (offsets.has(body)) continue;
    offsets.set(body, offset);
    bodies.push(body);
    offset += body.length;
  }
  const table = tags.map(([name, body]) =>
    Buffer.concat([Buffer.from(name, 'latin1'), u32(offsets.get(body) ?? 0), u32(body.length)]),
  );
  return Buffer.concat([header(offset), u32(tags.length), ...table, ...bodies]);
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x04200000, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  // The profile's own day, a fixed one.
  [2026, 1, 1, 0, 0, 0].forEach((part, i) => bytes.writeUInt16BE(part, 24 + 2 * i));
  bytes.write('acsp', 36, 'latin1');
  Buffer.concat([fixed(0.9642), fixed(1), fixed(0.8249)]).copy(bytes, 68);
  return bytes;
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

/** A number with sixteen binary places. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
}

/** A tag's type, four reserved bytes, and its content up to a boundary of four. */
function tag(type: string, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), u32(0), ...parts]);
  return Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
}

const xyz = (x: number, y: number, z: number): Buffer => tag('XYZ ', [fixed(x), fixed(y), fixed(z)]);

function text(value: string): Buffer {
  const content = Buffer.from(value, 'utf16le').swap16();
  return tag('mluc', [u32(1), u32(12), Buffer.from('enUS', 'latin1'), u32(content.length), u32(28), content]);
}
