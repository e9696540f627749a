import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';

/** Media types of files: only the handler reads such a body, piece by piece. */
const STREAMED = [
  'text/csv',
  'application/csv',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
  'multipart/form-data',
];

const IMPORT = '/api/usage-events/import';

/** Lets bodies of files reach their handler as a stream, however large they are and however long they take. */
@Injectable()
export class AcceptStreams implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance() as unknown as FastifyInstance;
    fastify.addContentTypeParser(STREAMED, (request, _payload, done) => {
      if (request.routeOptions.url === IMPORT) done(null, undefined);
      else done(Object.assign(new Error('Only an import accepts files.'), { statusCode: 415 }));
    });
    // Node allows a request as a whole only so long, whatever it is; an import of hours is one request. Only the
    // gateway comes here.
    (this.host.httpAdapter.getHttpServer() as Server).requestTimeout = 0;
  }
}
