import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Operation } from '@kontor/service-kit';
import { ResetSecondFactor } from './reset-second-factor.js';
import { ResetSecondFactorDto } from './users.dto.js';

/** What the operator does with any person's account. */
@Controller('accounts')
export class AccountsController {
  constructor(private readonly resetSecondFactor: ResetSecondFactor) {}

  @Post('reset-second-factor')
  @HttpCode(204)
  @Operation({
    id: 'resetSecondFactor',
    summary: 'Turn off the codes of somebody who has lost them',
    description:
      'For who has neither the device nor a recovery code any more: make sure who asks. From then on the password is enough; codes can be set ' +
      'up anew. The person is signed out everywhere and hears of it by mail, and it is in the audit logs of the tenants. Passkeys stay.',
    tag: 'Users',
    permission: 'operator',
    success: 204,
  })
  async reset(@Body() body: ResetSecondFactorDto): Promise<void> {
    await this.resetSecondFactor.execute(body.email);
  }
}
