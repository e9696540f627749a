import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListOptions, type ListQuery, Operation, type Page } from '@kontor/service-kit';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { type CustomerJson, customerSchema } from '../customers/customer.schema.js';
import { CheckMerge, MERGING_SERVICES, type MergeRequest } from './check-merge.js';
import { MergeCustomers } from './merge-customers.js';
import { MergeCustomersDto } from './merge.dto.js';
import { UndoMerge } from './undo-merge.js';
import { ReadMerges } from './merge.read.js';
import {
  type MergedObjectJson,
  mergedObjectSchema,
  type MergeJson,
  type MergePreviewJson,
  mergePreviewSchema,
  mergeSchema,
} from './merge.schema.js';

const tag = 'Customers';
const [target, source, merge] = [1, 2, 3].map((n) => `018f2f1c-0000-7000-8000-00000000000${n}`);
const request = { targetCustomerId: target, sourceCustomerIds: [source] };
const moved = [
  { service: 'billing', object: 'subscription', count: 1 },
  { service: 'invoicing', object: 'invoice', count: 12 },
];
const OBJECTS = { filters: { service: ['billing', ...MERGING_SERVICES] } } satisfies ListOptions;

const wanted = ({ targetCustomerId, sourceCustomerIds }: MergeCustomersDto): MergeRequest => ({
  targetCustomerId,
  sourceCustomerIds: [...new Set(sourceCustomerIds)],
});

@Controller()
export class MergingController {
  constructor(
    private readonly customers: MergeCustomers,
    private readonly check: CheckMerge,
    private readonly merges: ReadMerges,
    private readonly undoing: UndoMerge,
  ) {}

  @Post('customers/merge')
  @Operation({
    id: 'mergeCustomers',
    summary: 'Make one customer of several',
    description:
      'Subscriptions, documents, money, ways to pay, usage, contacts, offers and carts of the source customers become the target’s, which ' +
      'keeps its own name, addresses, settings and defaults. Documents that were issued stay as they are. Each source stays as an archived ' +
      'customer that names the target in `mergedIntoCustomerId`; changing it is 410 `customer_merged`. What is owned by subscriptions has moved ' +
      'with the answer, the rest follows within moments: `GET /customers/{id}/merges`. Where something speaks against it, nothing is done: 422 ' +
      '`customers_not_mergeable` with the codes that `POST /customers/merge/preview` shows. Repeating it changes nothing.',
    tag,
    permission: 'customer:write',
    // Each source in a transaction of its own.
    resumes: true,
    success: 201,
    response: customerSchema,
    examples: { request },
  })
  merge(@Caller() { tenantId }: Principal, @Body() body: MergeCustomersDto): Promise<CustomerJson> {
    return this.customers.execute(tenantId, wanted(body));
  }

  @Post('customers/merge/preview')
  @Operation({
    id: 'previewCustomerMerge',
    summary: 'What a merge would do',
    description: 'How many objects would become the target’s, and what speaks against it. Nothing is changed.',
    tag,
    permission: 'customer:read',
    success: 201,
    response: mergePreviewSchema,
    examples: {
      request,
      response: {
        possible: false,
        conflicts: [
          {
            sourceCustomerId: source,
            code: 'currencies_differ',
            message: 'One customer pays in CHF, the other in EUR.',
          },
        ],
        moves: moved.map((move) => ({ sourceCustomerId: source, ...move })),
      },
    },
  })
  preview(@Caller() { tenantId }: Principal, @Body() body: MergeCustomersDto): Promise<MergePreviewJson> {
    return this.check.execute(tenantId, wanted(body));
  }

  @Get('customers/:id/merges')
  @Operation({
    id: 'listCustomerMerges',
    summary: 'Merges of a customer',
    description:
      'Those in which others became this customer, and the one in which it became another; the newest first.',
    tag,
    permission: 'customer:read',
    response: mergeSchema,
  })
  list(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @List() list: ListQuery,
  ): Promise<Page<MergeJson>> {
    return this.merges.list(tenantId, id, list);
  }

  @Get('customer-merges/:id')
  @Operation({
    id: 'getCustomerMerge',
    summary: 'Get a merge of two customers',
    description:
      '`completed` when every part of the system has moved what it keeps; money that is on its way is waited for.',
    tag,
    permission: 'customer:read',
    response: mergeSchema,
    examples: {
      response: {
        id: merge,
        sourceCustomerId: source,
        targetCustomerId: target,
        status: 'completed',
        waitingFor: [],
        moved,
        mergedAt: '2026-02-01T09:00:00.000Z',
        completedAt: '2026-02-01T09:00:00.400Z',
        undoneAt: null,
      },
    },
  })
  get(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<MergeJson> {
    return this.merges.byId(tenantId, id);
  }

  @Post('customer-merges/:id/undo')
  @Operation({
    id: 'undoCustomerMerge',
    summary: 'Make two customers of one again',
    description:
      'What the merge has moved and is still the target’s goes back to the source, which is again what it was: subscriptions with what was ' +
      'added to them since, documents, open amounts, credit, ways to pay, contacts, children, offers and carts. What came later stays with the ' +
      'target; so do documents that were made since. What belongs to subscriptions has gone back with the answer, the rest follows within ' +
      'moments (`status` is `undoing` until then). Twice is 409 `merge_undone`. Where both cannot be told apart any more, nothing is done: 422 ' +
      '`merge_not_undoable`, with `violations[].code` `merge_running`, `target_merged`, `target_archived`, `anonymized`, `currencies_differ`, ' +
      '`time_zones_differ`, `being_billed`, `being_finalized`, `payment_under_way`, `billing_group_shared`, `price_shared`, `credit_used` or `usage_moved`.',
    tag,
    permission: 'customer:write',
    success: 201,
    response: mergeSchema,
    examples: {
      response: {
        id: merge,
        sourceCustomerId: source,
        targetCustomerId: target,
        status: 'undone',
        waitingFor: [],
        moved,
        mergedAt: '2026-02-01T09:00:00.000Z',
        completedAt: '2026-02-01T09:00:00.400Z',
        undoneAt: '2026-02-02T08:00:00.000Z',
      },
    },
  })
  undo(@Caller() { tenantId }: Principal, @IdParam('id') id: string): Promise<MergeJson> {
    return this.undoing.execute(tenantId, id);
  }

  @Get('customer-merges/:id/objects')
  @Operation({
    id: 'listMergedObjects',
    summary: 'What was moved by a merge',
    description:
      'The objects that were the source’s before, of the part of the system that `service` names (`billing` when absent): what to return ' +
      'should the two turn out to be different people after all: `POST /customer-merges/{id}/undo` does. Usage events are counted only.',
    tag,
    permission: 'customer:read',
    response: mergedObjectSchema,
  })
  objects(
    @Caller() { tenantId }: Principal,
    @IdParam('id') id: string,
    @List(OBJECTS) list: ListQuery,
  ): Promise<Page<MergedObjectJson>> {
    return this.merges.objects(tenantId, id, list);
  }
}
