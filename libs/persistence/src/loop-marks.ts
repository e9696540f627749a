let mark = (): void => undefined;

/** Where what is between two statements of a request begins and ends, for whoever guards the event loop. */
export const onLoopMark = (listener: () => void): void => void (mark = listener);

export const markLoop = (): void => mark();
