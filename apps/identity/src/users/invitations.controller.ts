import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import { userInvitations } from '../db/user-invitation.row.js';
import { InviteUser } from './invite-user.js';
import { EXAMPLE_INVITATION, invitationSchema, representInvitation } from './represent-user.js';
import { InviteUserDto } from './users.dto.js';

const tag = 'Users';

/** Who was asked to become a user. */
@Controller('user-invitations')
export class InvitationsController {
  constructor(
    private readonly db: Database,
    private readonly invite: InviteUser,
  ) {}

  @Post()
  @Operation({
    id: 'inviteUser',
    summary: 'Invite somebody by mail; the link is good for seven days and once',
    description:
      'Who has an account already, in whichever tenant, signs in and joins; everybody else sets a name and a password. Nobody can give more ' +
      'than they may do themselves.',
    tag,
    permission: 'user:write',
    success: 201,
    response: invitationSchema,
    examples: { response: EXAMPLE_INVITATION },
  })
  create(@Caller() caller: Principal, @Body() { email, roles, language }: InviteUserDto) {
    return this.db.tenant(caller.tenantId, async (tx) =>
      representInvitation(
        await this.invite.execute(tx, caller, { email, roles, language: language ?? 'de' }),
        new Date(),
      ),
    );
  }

  @Get()
  @Operation({
    id: 'listUserInvitations',
    summary: 'Invitations, newest first',
    tag,
    permission: 'user:read',
    response: invitationSchema,
    examples: { response: { data: [EXAMPLE_INVITATION] } },
  })
  list(@Caller() caller: Principal, @List() list: ListQuery) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: userInvitations,
          columns: {},
          defaultOrder: 'created_at DESC, id',
        });
        const now = new Date();
        return page(
          rows.map((row) => representInvitation(row, now)),
          total,
          list,
        );
      },
      { readOnly: true },
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'revokeUserInvitation',
    summary: 'Revoke an invitation that is pending: its link leads nowhere',
    tag,
    permission: 'user:write',
    success: 204,
  })
  async revoke(@Caller() caller: Principal, @IdParam() id: string): Promise<void> {
    await this.db.tenant(caller.tenantId, (tx) => this.invite.revoke(tx, id));
  }
}
