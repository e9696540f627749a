import { Module } from '@nestjs/common';
import { PaymentsModule } from '../../payments.module.js';
import { AddByLink } from './add-by-link.js';
import { LinkPagesController } from './link-pages.controller.js';
import { OpenLink } from './open-link.js';
import { ReturnFromProvider } from './return-from-provider.js';

/** The public pages on which customers add their way to pay. */
@Module({ imports: [PaymentsModule], controllers: [LinkPagesController], providers: [OpenLink, AddByLink, ReturnFromProvider] })
export class LinksModule {}
