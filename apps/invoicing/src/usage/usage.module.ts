import { Module } from '@nestjs/common';
import { UsageLinks } from './usage-links.js';

/** Public links to the page about a document's usage. */
@Module({
  providers: [UsageLinks],
  exports: [UsageLinks],
})
export class UsageModule {}
