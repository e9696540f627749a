/** How a seller's pages look. */
export interface SellerLook {
  /** A data address. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
}

export const NO_LOOK: SellerLook = { logo: null, accentColor: null };

/** The seller's colour, lighter where the page is dark; the text on it is black or white, whichever can be read. */
export function accentStyle(accentColor: string | null): string | null {
  if (accentColor === null || !/^#[0-9a-f]{6}$/i.test(accentColor)) return null;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(accentColor.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  const on = luminance > 0.179 ? '#121a29' : '#fff';
  const link = luminance > 0.179 ? `color-mix(in srgb,${accentColor} 45%,#000)` : accentColor;
  return (
    `:root{--accent:${accentColor};--on-accent:${on}}a,button.second{color:${link}}` +
    `@media (prefers-color-scheme:dark){a,button.second{color:color-mix(in srgb,${accentColor} 40%,#fff)}}` +
    `a.button:not(.second){color:${on}}`
  );
}
