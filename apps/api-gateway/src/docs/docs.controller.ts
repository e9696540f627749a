import { notFound } from '@kontor/kernel';
import { Controller, Get, Header, Headers, Redirect, UseGuards } from '@nestjs/common';
import { LimitStrangers } from '../limits/limit-strangers.js';
import { Directory } from '../routes/directory.js';
import { asyncApiDocument } from './async-api.js';
import { DOCS_PAGE, DOCS_POLICY } from './docs-page.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** What the system can do, for programs and for people. */
@Controller()
@UseGuards(LimitStrangers)
export class DocsController {
  constructor(private readonly directory: Directory) {}

  /** Browsers are led to the documentation; programs find nothing here. @throws DomainError `not_found` */
  @Get()
  @Header('vary', 'accept')
  @Redirect('/docs', 302)
  start(@Headers('accept') accept = ''): void {
    if (!accept.includes('text/html')) throw notFound('The resource');
  }

  @Get('openapi.json')
  @Header('content-type', JSON_TYPE)
  openApi(): Buffer {
    return this.directory.document;
  }

  @Get('asyncapi.json')
  asyncApi() {
    return asyncApiDocument();
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', DOCS_POLICY)
  @Header('x-content-type-options', 'nosniff')
  @Header('x-frame-options', 'DENY')
  @Header('referrer-policy', 'no-referrer')
  docs(): string {
    return DOCS_PAGE;
  }
}
