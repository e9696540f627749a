import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import { oauthClients } from '../../db/oauth-client.row.js';
import { tenants } from '../../db/tenant.row.js';
import { NewOauthClientDto, OauthClientDto } from './client.dto.js';
import {
  EXAMPLE_CLIENT,
  EXAMPLE_REQUEST,
  OauthClient,
  OauthClientWithSecret,
  representClient,
} from './client.schemas.js';
import { OauthClients } from './oauth-clients.js';

const common = { tag: 'OAuth clients', permission: 'operator' } as const;
const EXAMPLE_PAGE = { totalItems: 1, itemsPerPage: 30, currentPage: 1, lastPage: 1, pageTotalItems: 1 };
const EXAMPLE_SECRET = 'Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D3F5H7J9L1N3';

/** The operator's list of apps that sign customers in. */
@Controller('oauth/clients')
export class OauthClientsController {
  constructor(
    private readonly db: Database,
    private readonly clients: OauthClients,
  ) {}

  @Post()
  @Operation({
    id: 'createOauthClient',
    summary: 'Register an app that signs customers in; its secret is in this answer only',
    description:
      'Redirects go to exactly these addresses. An app that cannot keep a secret has `tokenEndpointAuthMethod: none` and must use PKCE. ' +
      '`clientSecret` is null for it.',
    success: 201,
    shownOnce: ['clientSecret'],
    response: OauthClientWithSecret,
    examples: { request: EXAMPLE_REQUEST, response: { ...EXAMPLE_CLIENT, clientSecret: EXAMPLE_SECRET } },
    ...common,
  })
  create(@Caller() caller: Principal, @Body() { tenantId, ...body }: NewOauthClientDto) {
    return this.db.tenant(tenantId ?? caller.tenantId, async (tx) => {
      if (!(await tenants.exists(tx, {}))) throw unknownReference('tenantId', 'tenant');
      const { row, secret } = await this.clients.create(tx, body);
      return { ...representClient(row), clientSecret: secret };
    });
  }

  @Get()
  @Operation({
    id: 'listOauthClients',
    summary: "Apps that sign in the customers of the key's tenant, newest first",
    response: OauthClient,
    examples: { response: { data: [EXAMPLE_CLIENT], meta: { pagination: EXAMPLE_PAGE } } },
    ...common,
  })
  list(@Caller() caller: Principal, @List() list: ListQuery) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: oauthClients,
          columns: {},
          defaultOrder: 'created_at DESC, id',
        });
        return page(rows.map(representClient), total, list);
      },
      { readOnly: true },
    );
  }

  @Get(':id')
  @Operation({
    id: 'getOauthClient',
    summary: 'One app',
    response: OauthClient,
    examples: { response: EXAMPLE_CLIENT },
    ...common,
  })
  get(@IdParam() id: string) {
    return this.clients.within(id, async (_tx, row) => representClient(row));
  }

  @Put(':id')
  @Operation({
    id: 'updateOauthClient',
    summary: 'Change an app; its secret stays',
    description:
      'Replaces all fields. An app without a secret gets none, and one with a secret keeps it. A scope that is left out counts no more within two seconds, ' +
      'in tokens that were given before either.',
    response: OauthClient,
    examples: { request: EXAMPLE_REQUEST, response: EXAMPLE_CLIENT },
    ...common,
  })
  update(@IdParam() id: string, @Body() body: OauthClientDto) {
    return this.clients.within(id, async (tx, row) => representClient(await this.clients.change(tx, row, body)));
  }

  @Post(':id/rotate-secret')
  @Operation({
    id: 'rotateOauthClientSecret',
    summary: 'Give an app a new secret; the old one no longer counts',
    success: 201,
    shownOnce: ['clientSecret'],
    response: OauthClientWithSecret,
    examples: { response: { ...EXAMPLE_CLIENT, clientSecret: EXAMPLE_SECRET } },
    ...common,
  })
  rotate(@IdParam() id: string) {
    return this.clients.within(id, async (tx, found) => {
      const { row, secret } = await this.clients.rotateSecret(tx, found);
      return { ...representClient(row), clientSecret: secret };
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({
    id: 'deleteOauthClient',
    summary: 'Remove an app: its tokens end within a second',
    success: 204,
    ...common,
  })
  async delete(@IdParam() id: string): Promise<void> {
    await this.clients.within(id, (tx, row) => this.clients.remove(tx, row));
  }
}
