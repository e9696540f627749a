import type { Principal } from '@kontor/contracts';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { Caller, Operation } from '@kontor/service-kit';
import { Issuers } from './issuers.js';
import { SigningKeys } from './signing-keys.js';

@Controller('oauth/signing-keys')
export class SigningKeysController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly issuers: Issuers,
  ) {}

  @Post('rotate')
  @HttpCode(204)
  @Operation({
    id: 'rotateSigningKeys',
    summary: 'Make new keys for signing tokens',
    description:
      'A new key is in the key set at once and signs after an hour, when everybody has it; the old one stays there until nothing that it ' +
      'signed can be valid any more.',
    tag: 'OAuth clients',
    permission: 'operator',
    success: 204,
  })
  async rotate(@Caller() { tenantId }: Principal): Promise<void> {
    await this.keys.rotate(tenantId);
    await this.issuers.reload();
  }
}
