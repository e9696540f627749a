/** What a property means, with a value as it may look: `[text, example]`. */
export type Word = string | readonly [text: string, example: unknown];

/** By the name of a property, or by `Component.property` where a name means something else. */
export type Words = Readonly<Record<string, Word>>;
