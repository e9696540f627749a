import { createHash } from 'node:crypto';
import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import type { Language } from '../domain/breakdowns/breakdown-document.js';
import { breakdownCsv } from './page/csv.js';
import { breakdownPage, missingPage } from './page/page.js';
import { STYLE } from './page/style.js';
import { FindBreakdown } from './find-breakdown.js';

const open = {
  tag: 'Public pages',
  permission: null,
  query: { lang: { type: 'string', enum: ['de', 'en'] } },
} as const;
const HTML = 'text/html; charset=utf-8';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Who has the address may see the page: it goes into no cache, no log of another site, no search engine and no frame,
 * and loads nothing.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

@Controller('public/usage')
export class PublicUsageController {
  constructor(private readonly findBreakdown: FindBreakdown) {}

  @Get(':token')
  @Operation({
    id: 'publicUsage',
    summary: 'The page about the usage on an invoice',
    responseType: 'text/html',
    ...open,
  })
  async page(
    @Param('token') token: string,
    @Query('lang') asked: unknown,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(HEADERS).type(HTML);
    const found = await this.findBreakdown.execute(token);
    const language = languageFor(asked, found?.document.language, accepted);
    if (found)
      return breakdownPage(found.document, {
        language,
        path: `/public/usage/${token}`,
        cancelled: found.status === 'cancelled',
      });
    void reply.status(404);
    return missingPage(language);
  }

  @Get(':token/csv')
  @Operation({ id: 'publicUsageCsv', summary: 'The usage on an invoice as CSV', responseType: 'text/csv', ...open })
  async csv(
    @Param('token') token: string,
    @Query('lang') asked: unknown,
    @Headers('accept-language') accepted: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.headers(HEADERS);
    const found = await this.findBreakdown.execute(token);
    const language = languageFor(asked, found?.document.language, accepted);
    if (!found) {
      void reply.status(404).type(HTML);
      return missingPage(language);
    }
    const name = found.document.number.replace(/[^\w.-]+/g, '-');
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="usage-${name}.csv"`);
    return breakdownCsv(found.document, language);
  }
}

/** The requested language, else the customer's, else the browser's, else English. */
function languageFor(asked: unknown, customers: string | undefined, accepted: string | undefined): Language {
  for (const language of [asked, customers]) if (language === 'de' || language === 'en') return language;
  return /^\s*de\b/i.test(accepted ?? '') ? 'de' : 'en';
}
