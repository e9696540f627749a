import 'reflect-metadata';

const EXAMPLE = 'kontor:body-example';

/** A body of this class as a client may send it; the document shows it with every operation that takes one. */
export const BodyExample =
  (example: object): ClassDecorator =>
  (dto) =>
    Reflect.defineMetadata(EXAMPLE, example, dto);

export const bodyExampleOf = (dto: Function): object | undefined =>
  Reflect.getOwnMetadata(EXAMPLE, dto) as object | undefined;
