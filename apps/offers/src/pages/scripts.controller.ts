import { Controller, Get, Param, Res } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Operation } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { SIGNATURE_SCRIPT, SIGNATURE_SCRIPT_NAME } from './signature-script.js';

/** Files that pages load from us. */
@Controller('public/scripts')
export class ScriptsController {
  @Get(':name')
  @Operation({
    id: 'getPageScript',
    summary: 'A script of a public page',
    description: 'Its name has a digest of what it says: browsers may keep it for good.',
    tag: 'Public pages',
    permission: null,
    responseType: 'text/javascript',
    errors: { 404: '`not_found`' },
  })
  get(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): string {
    if (name !== SIGNATURE_SCRIPT_NAME) throw notFound('The script');
    void reply.type('text/javascript; charset=utf-8').headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    return SIGNATURE_SCRIPT;
  }
}
