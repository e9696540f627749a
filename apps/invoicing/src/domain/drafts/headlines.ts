/** A headline over positions of a document. */
export interface Headline {
  readonly id: string;
  readonly name: string;
  readonly ranking: number;
}

/** A headline as a request names it: by its name, or by its name with a rank among the headlines. */
export type HeadlineInput = string | { name: string; ranking?: number | null; id?: string | null };

interface Grouped {
  readonly groupId: string | null;
  readonly groupName: string | null;
  readonly groupRanking: number | null;
}

/** The headlines of a document: one per name, ranked as given or in order of appearance. */
export class Headlines {
  private readonly headlines: Headline[] = [];

  constructor(
    existing: readonly Grouped[],
    private readonly newId: () => string,
  ) {
    for (const { groupId: id, groupName: name, groupRanking: ranking } of existing) {
      if (id !== null && !this.headlines.some((headline) => headline.id === id))
        this.headlines.push({ id, name: name ?? '', ranking: ranking ?? 0 });
    }
  }

  find(given: HeadlineInput): Headline {
    const { name, ranking, id } = typeof given === 'string' ? { name: given, ranking: null, id: null } : given;
    const existing = this.headlines.find((headline) => (id ? headline.id === id : headline.name === name));
    if (existing) return existing;
    const last = Math.max(0, ...this.headlines.map((headline) => headline.ranking));
    const headline = { id: this.newId(), name, ranking: ranking ?? last + 1 };
    this.headlines.push(headline);
    return headline;
  }
}
