import { Controller, Get, Header } from '@nestjs/common';
import { Directory } from '../routes/directory.js';
import { asyncApiDocument } from './async-api.js';
import { DOCS_PAGE } from './docs-page.js';

/** What the system can do, for programs and for people. */
@Controller()
export class DocsController {
  constructor(private readonly directory: Directory) {}

  @Get('openapi.json')
  openApi() {
    return this.directory.document;
  }

  @Get('asyncapi.json')
  asyncApi() {
    return asyncApiDocument();
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  docs(): string {
    return DOCS_PAGE;
  }
}
