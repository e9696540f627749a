import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { builtInRoles } from '../domain/roles.js';
import { ChangeRole } from './change-role.js';
import { ownRoles } from './own-roles.js';
import { EXAMPLE_ROLE, representRole, roleSchema } from './represent-user.js';
import { UserRoleDto } from './users.dto.js';

const tag = 'Users';

/** What users can be. */
@Controller('user-roles')
export class RolesController {
  constructor(
    private readonly db: Database,
    private readonly change: ChangeRole,
  ) {}

  @Get()
  @Operation({
    id: 'listUserRoles',
    summary: 'All roles: the built-in ones, then own ones by name',
    tag,
    permission: 'user:read',
    response: Type.Object({ data: Type.Array(roleSchema) }),
    examples: { response: { data: [EXAMPLE_ROLE] } },
  })
  list(@Caller() caller: Principal) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => ({ data: [...builtInRoles, ...(await ownRoles(tx))].map(representRole) }),
      { readOnly: true },
    );
  }

  @Post()
  @Operation({
    id: 'createUserRole',
    summary: 'Make a role of permissions; at most 100',
    tag,
    permission: 'user:write',
    success: 201,
    response: roleSchema,
    examples: { response: EXAMPLE_ROLE },
  })
  create(@Caller() caller: Principal, @Body() body: UserRoleDto) {
    return this.db.tenant(caller.tenantId, async (tx) => representRole(await this.change.create(tx, caller, body)));
  }

  @Put(':id')
  @Operation({
    id: 'replaceUserRole',
    summary: 'Change what a role allows, for all who have it; effective within a second',
    tag,
    permission: 'user:write',
    response: roleSchema,
    examples: { response: EXAMPLE_ROLE },
  })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() body: UserRoleDto) {
    return this.db.tenant(caller.tenantId, async (tx) =>
      representRole(await this.change.replace(tx, caller, id, body)),
    );
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'deleteUserRole',
    summary: 'Delete a role that nobody has and nobody is invited to',
    tag,
    permission: 'user:write',
    success: 204,
  })
  async delete(@Caller() caller: Principal, @IdParam() id: string): Promise<void> {
    await this.db.tenant(caller.tenantId, (tx) => this.change.delete(tx, caller, id));
  }
}
