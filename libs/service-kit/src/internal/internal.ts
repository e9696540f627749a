import { applyDecorators, Controller, SetMetadata } from '@nestjs/common';

export const INTERNAL = 'kontor:internal';

/** A controller under `/internal/<path>`: only other services, with their service token; in no public document. */
export const Internal = (path = ''): ClassDecorator =>
  applyDecorators(SetMetadata(INTERNAL, 'token'), Controller(`internal/${path}`));

/** A controller under `/internal/<path>` that needs no token because it says nothing about any tenant: health, metrics, OpenAPI. */
export const OpenInternal = (path = ''): ClassDecorator =>
  applyDecorators(SetMetadata(INTERNAL, 'open'), Controller(`internal/${path}`));

export const internalKindOf = (controller: Function): 'token' | 'open' | undefined =>
  Reflect.getMetadata(INTERNAL, controller) as 'token' | 'open' | undefined;
