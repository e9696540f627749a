import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { invariant, isUlid, isUuid, notFound } from '@kontor/kernel';
import type { FastifyRequest } from 'fastify';
import { type ListOptions, readListQuery } from './list-query.js';

/** What the OpenAPI document needs to know about a handler's parameters. */
export interface ParameterNote {
  readonly kind: 'id' | 'list';
  readonly name?: string;
  readonly format?: 'uuid' | 'ulid';
  readonly list?: ListOptions;
}

const NOTES = 'kontor:parameters';

export const parameterNotes = (controller: Function, handler: string): ParameterNote[] =>
  (Reflect.getMetadata(NOTES, controller.prototype as object, handler) as ParameterNote[] | undefined) ?? [];

function noted(note: ParameterNote, decorate: ParameterDecorator): ParameterDecorator {
  return (prototype, handler, index) => {
    if (handler !== undefined)
      Reflect.defineMetadata(
        NOTES,
        [...parameterNotes(prototype.constructor, String(handler)), note],
        prototype,
        handler,
      );
    decorate(prototype, handler, index);
  };
}

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** Who is calling. On a public operation (`permission: null`) it may be undefined: type it `Principal | undefined` there. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Principal | undefined => requestOf(context).principal,
);

const readUuid = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = (requestOf(context).params as Record<string, string>)[name];
  invariant(value !== undefined, `route has no parameter ${name}`);
  if (!isUuid(value)) throw notFound('The resource');
  return value.toLowerCase();
});

const readUlid = createParamDecorator((name: string, context: ExecutionContext): string => {
  const value = (requestOf(context).params as Record<string, string>)[name]?.toUpperCase();
  if (!isUlid(value)) throw notFound('The resource');
  return value;
});

/** An id in the path; a malformed one is simply not found. */
export const IdParam = (name = 'id', options: { format?: 'uuid' | 'ulid' } = {}): ParameterDecorator =>
  noted(
    { kind: 'id', name, format: options.format ?? 'uuid' },
    options.format === 'ulid' ? readUlid(name) : readUuid(name),
  );

const readList = createParamDecorator((options: ListOptions, context: ExecutionContext) =>
  readListQuery(requestOf(context).query as Record<string, unknown>, options),
);

/** The query of a list: page, limit, filters, order and search as declared; anything else is 400. */
export const List = (options: ListOptions = {}): ParameterDecorator =>
  noted({ kind: 'list', list: options }, readList(options));

declare module 'fastify' {
  interface FastifyRequest {
    principal?: Principal;
    requestId: string;
  }
}
