export interface DocumentTexts {
  readonly title: string;
  readonly introduction: string | null;
  readonly closing: string | null;
}

/** File name of a document: its number with everything but letters, digits, `.`, `_` and `-` replaced. */
export const fileNameOf = (number: string, extension = 'pdf'): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${extension}`;
