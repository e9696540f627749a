/** A line of the table of what is sold; amounts as people read them. */
export interface PaperLine {
  name: string;
  description: string | null;
  quantity: string;
  amount: string;
}

/** Something that was done, with what is known about it. */
export interface PaperEntry {
  title: string;
  lines: string[];
  /** A drawn signature: PNG, base64. */
  picture: string | null;
}

export type PaperBlock =
  | { kind: 'text'; heading: string | null; text: string | null }
  | { kind: 'note'; text: string }
  | {
      kind: 'table';
      heading: string | null;
      columns: [string, string, string];
      lines: PaperLine[];
      sums: { label: string; amount: string; total: boolean }[];
    }
  | { kind: 'entries'; heading: string | null; entries: PaperEntry[] }
  /** Room for a signature by hand: what goes below the lines. */
  | { kind: 'sign'; labels: string[] };

/** invoicing: `POST /internal/papers` answers a PDF in the design of invoices: the same request, the same bytes. */
export interface PaperRequest {
  language: 'de' | 'en';
  /** `YYYY-MM-DD`; the only date of the file. */
  day: string;
  title: string;
  /** Beside the window: what the recipient files by. */
  references: [string, string][];
  recipient: {
    nameLines: string[];
    address: {
      street: string | null;
      houseNumber: string | null;
      addition: string | null;
      zip: string | null;
      city: string | null;
      countryCode: string;
    };
  };
  blocks: PaperBlock[];
}
