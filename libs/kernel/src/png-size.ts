const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 'IHDR';
const ANIMATION = new Set(['acTL', 'fcTL', 'fdAT']);
/** Length, type and check sum. */
const AROUND = 12;

/**
 * What a PNG takes to be unpacked, which its number of bytes does not tell. Null for what is none, for an animation, of which each
 * picture is as large, and where there are two headers: readers believe the last one.
 */
export function pngSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 24 || SIGNATURE.some((byte, n) => bytes[n] !== byte)) return null;
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; at += AROUND + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((type === HEADER) !== (at === SIGNATURE.length) || ANIMATION.has(type)) return null;
  }
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
