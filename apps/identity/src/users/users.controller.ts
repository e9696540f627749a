import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { Principal } from '@kontor/contracts';
import { invariant, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import { peopleByIds } from '../accounts/person.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { ChangeUser } from './change-user.js';
import { EXAMPLE_USER, representUser, userSchema } from './represent-user.js';
import { SetUserRolesDto } from './users.dto.js';

const tag = 'Users';

/** The people of a tenant. */
@Controller('users')
export class UsersController {
  constructor(
    private readonly db: Database,
    private readonly change: ChangeUser,
  ) {}

  @Get()
  @Operation({
    id: 'listUsers',
    summary: 'Who works for the tenant, newest first',
    tag,
    permission: 'user:read',
    response: userSchema,
    examples: { response: { data: [EXAMPLE_USER] } },
  })
  list(@Caller() caller: Principal, @List({ filters: { deactivated: 'boolean' } }) list: ListQuery) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: tenantUsers,
          columns: { deactivated: { sql: 't.deactivated', type: 'boolean' } },
          defaultOrder: 'created_at DESC, id',
        });
        const people = await peopleByIds(
          tx,
          rows.map(({ personId }) => personId),
        );
        return page(
          rows.map((user) => representUser(user, people.get(user.personId)!)),
          total,
          list,
        );
      },
      { readOnly: true },
    );
  }

  @Get(':id')
  @Operation({
    id: 'getUser',
    summary: 'Somebody who works for the tenant, or did',
    tag,
    permission: 'user:read',
    response: userSchema,
    examples: { response: EXAMPLE_USER },
  })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const user = await tenantUsers.get(tx, id);
        if (!user) throw notFound('User');
        const person = (await peopleByIds(tx, [user.personId])).get(user.personId);
        invariant(person, 'a user is a person');
        return representUser(user, person);
      },
      { readOnly: true },
    );
  }

  @Put(':id/roles')
  @Operation({
    id: 'setUserRoles',
    summary: "Replace a person's roles; effective within a second",
    description:
      'Only by who may do everything that the person may, before and after. Somebody who may do everything stays in the tenant.',
    tag,
    permission: 'user:write',
    response: userSchema,
    examples: {
      request: { roles: ['support', 'read_only'] },
      response: { ...EXAMPLE_USER, roles: ['support', 'read_only'] },
    },
  })
  setRoles(@Caller() caller: Principal, @IdParam() id: string, @Body() body: SetUserRolesDto) {
    return this.db.tenant(caller.tenantId, async (tx) => {
      const { user, person } = await this.change.setRoles(tx, caller, id, body.roles);
      return representUser(user, person);
    });
  }

  @Post(':id/end-sessions')
  @Operation({
    id: 'endUserSessions',
    summary: 'Sign a person out of this tenant everywhere; effective within a second',
    tag,
    permission: 'user:write',
    response: Type.Object({ ended: Type.Integer({ description: 'How many sessions ended.' }) }),
    examples: { response: { ended: 2 } },
  })
  endSessions(@Caller() caller: Principal, @IdParam() id: string) {
    return this.db.tenant(caller.tenantId, async (tx) => ({ ended: await this.change.endSessions(tx, caller, id) }));
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'removeUser',
    summary: 'Remove a person from the tenant; effective within a second',
    description: 'Logs go on naming the person. Invited again, the same user is back.',
    tag,
    permission: 'user:write',
    success: 204,
  })
  async remove(@Caller() caller: Principal, @IdParam() id: string): Promise<void> {
    await this.db.tenant(caller.tenantId, (tx) => this.change.remove(tx, caller, id));
  }
}
