import { Body, Controller, Delete, Get, HttpCode, Injectable, Module, Post, Put } from '@nestjs/common';
import { customerChangedV1, type Principal, type ReplicaKind } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import {
  Database,
  InstantColumn,
  type Migration,
  Replicas,
  rowTable,
  tenantTable,
  type TenantTx,
} from '@kontor/persistence';
import { IsIn, IsInt, IsString, Length, Matches } from 'class-validator';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import {
  Caller,
  defineService,
  DecimalString,
  IdParam,
  InstantString,
  Internal,
  List,
  type ListQuery,
  listRows,
  MoneyDto,
  MoneyField,
  Nested,
  NestedList,
  NotSupportedYet,
  Operation,
  OptionalField,
  page,
  ReadOnly,
  ReplicaFreshness,
  type ReplicaProvider,
  ReplicaSource,
  RequiredField,
  StringMap,
  Uuid,
} from '../src/index.js';

const migrations: Migration[] = [
  {
    name: 'sample_0001_note',
    sql: `
      CREATE TABLE note (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        title text NOT NULL,
        version integer NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (tenant_id, id)
      );
      ${tenantTable('note')}`,
  },
];

@Entity('note')
class NoteRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('text') title!: string;
  @Column('integer') version!: number;
  @InstantColumn() createdAt!: Date;
}

const notes = rowTable(NoteRow);

class TagDto {
  @IsString()
  @Matches(/^[a-z]+$/)
  name!: string;
}

class NoteDto {
  @ReadOnly()
  id?: string;

  @IsString()
  @Length(2, 40)
  title!: string;

  @OptionalField()
  @IsIn(['red', 'green'])
  colour?: string | null;

  @OptionalField()
  @DecimalString({ min: '0', scale: 2 })
  weight = '1';

  @OptionalField()
  @MoneyField()
  price?: MoneyDto | null;

  @OptionalField()
  @NestedList(() => TagDto, { max: 3 })
  tags?: TagDto[];

  @OptionalField()
  @Nested(() => TagDto)
  main?: TagDto;

  @OptionalField()
  @IsInt()
  rank?: number;

  @OptionalField()
  @Uuid()
  parent?: string;

  @OptionalField()
  @StringMap()
  labels?: Record<string, string>;

  @OptionalField()
  @InstantString()
  at?: string;

  @NotSupportedYet({ allowed: [false] })
  shared?: boolean;
}

class TreeDto {
  @RequiredField()
  @IsString()
  @Length(1, 40)
  name!: string;

  @OptionalField()
  @NestedList(() => TagDto, { max: 100 })
  children?: TagDto[];
}

class ForestDto {
  @RequiredField()
  @NestedList(() => TreeDto, { max: 1000 })
  trees!: TreeDto[];
}

class RenameDto {
  @RequiredField()
  @IsString()
  @Length(1, 40)
  title!: string;
}

/** What tests turn on to make a request slow, fail late, or fail between two transactions. */
export const fault = { delayMs: 0, afterCommit: null as Error | null, calls: 0 };

const titleOf = (customer: { companyName?: string } | null): string => customer?.companyName ?? 'nobody';

@Injectable()
class Notes {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async create(principal: Principal, dto: NoteDto): Promise<object> {
    fault.calls++;
    const created = await this.database.tenant(principal.tenantId, async (tx) => {
      const note = { id: newUuid(), title: dto.title, version: 1, createdAt: tx.now };
      await notes.insert(tx, note);
      await publish(tx, note.id, note.title, 1);
      if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
      if (dto.title === 'refused') throw new DomainError('title_refused');
      return { id: note.id, title: note.title, weight: dto.weight, colour: dto.colour ?? null };
    });
    if (fault.afterCommit) throw fault.afterCommit;
    await this.freshness.copied('customer', principal.tenantId, created.id, 1);
    return created;
  }
}

async function publish(tx: TenantTx, id: string, title: string, version: number): Promise<void> {
  const state = { ...customerChangedV1.example.state!, id, companyName: title };
  await appendEvent(tx, customerChangedV1, {
    aggregateId: id,
    aggregateSeq: version,
    payload: { id, version, deleted: false, state, notices: [] },
  });
}

@Controller('notes')
class NoteController {
  constructor(
    private readonly notes: Notes,
    private readonly database: Database,
  ) {}

  @Post()
  @Operation({
    id: 'createNote',
    summary: 'Writes a note',
    tag: 'Notes',
    permission: 'customer:write',
    response: { $id: 'NoteAnswer', type: 'object', properties: { data: { type: 'object' } } },
  })
  create(@Caller() principal: Principal, @Body() dto: NoteDto): Promise<object> {
    return this.notes.create(principal, dto);
  }

  @Post('trees')
  @Operation({ id: 'createForest', summary: 'Counts trees', tag: 'Notes', permission: 'customer:write' })
  createForest(@Body() dto: ForestDto): object {
    return { trees: dto.trees.length };
  }

  @Post('hold')
  @Operation({ id: 'hold', summary: 'Holds the event loop', tag: 'Notes', permission: 'customer:write' })
  hold(@Caller() principal: Principal, @Body() dto: NoteDto): Promise<object> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      await tx.query('SELECT 1');
      const end = process.threadCpuUsage().user + Number(dto.weight) * 1000;
      while (process.threadCpuUsage().user < end);
      await tx.query('SELECT 1');
      return {};
    });
  }

  @Post('mine')
  @Operation({
    id: 'createOwn',
    summary: "A customer's own",
    tag: 'Notes',
    permission: 'customer:write',
    customerTokens: true,
  })
  createOwn(@Caller() principal: Principal, @Body() dto: NoteDto): Promise<object> {
    return this.notes.create(principal, dto);
  }

  @Get()
  @Operation({
    id: 'listNotes',
    summary: 'Lists notes',
    tag: 'Notes',
    permission: 'customer:read',
    customerTokens: true,
    response: { $id: 'NoteAnswer', type: 'object', properties: { data: { type: 'object' } } },
  })
  list(
    @Caller() principal: Principal,
    @List({ filters: { title: 'text', id: 'uuid' }, ranges: ['createdAt'], order: ['title'], search: true })
    list: ListQuery,
  ) {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const { rows, total } = await listRows(tx, list, {
        table: notes,
        columns: { title: 'title', id: { sql: 'id', type: 'uuid' }, createdAt: 'created_at' },
        search: ['title', 'id::text'],
        condition: (bind) => `t.title <> ${bind('hidden')}`,
      });
      return page(
        rows.map(({ id, title }) => ({ id, title })),
        total,
        list,
      );
    });
  }

  @Put(':id')
  @Operation({ id: 'renameNote', summary: 'Renames a note', tag: 'Notes', permission: 'BankAccountTransactionWrite' })
  rename(@Caller() principal: Principal, @IdParam('id') id: string, @Body() dto: RenameDto): Promise<object> {
    return this.database.tenant(principal.tenantId, async (tx) => {
      const [note] = await tx.query<{ version: number }>(
        'UPDATE note SET title = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2 RETURNING version',
        [tx.tenantId, id, dto.title],
      );
      if (!note) throw notFound('The note');
      await publish(tx, id, dto.title, note.version);
      return { id, title: dto.title };
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ id: 'deleteNote', summary: 'Forgets a note', tag: 'Notes', permission: 'operator', success: 204 })
  async remove(@IdParam('id') _id: string): Promise<void> {
    throw new Error('with secrets of the inside: password=hunter2');
  }

  @Get('open/hello')
  @Operation({ id: 'hello', summary: 'Says hello', tag: 'Notes', permission: null })
  hello(@Caller() principal: Principal | undefined): object {
    return { known: principal !== undefined };
  }

  @Post('open/hello')
  @Operation({ id: 'helloAgain', summary: 'Says hello again', tag: 'Notes', permission: null, changesNothing: true })
  helloAgain(): object {
    return { again: true };
  }
}

@ReplicaSource('customer')
class NoteSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string) {
    const note = await notes.get(tx, id);
    return note && { version: note.version, data: { id, companyName: note.title } };
  }

  async page(tx: TenantTx, after: string | null, limit: number) {
    const rows = await notes.where(tx, '($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3', [after, limit]);
    return rows.map(({ id, version, title }) => ({ id, version, data: { id, companyName: title } }));
  }
}

/** Owner of "customers" (it plays billing): notes. */
@Module({ controllers: [NoteController], providers: [Notes, NoteSource] })
class SampleModule {}

export const sampleService = defineService({
  name: 'billing',
  customerData: { tables: [] },
  module: SampleModule,
  migrations,
  rows: [NoteRow],
  replicas: [],
});

@Controller('copies')
class CopyController {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  @Get(':id')
  @Operation({ id: 'getCopy', summary: 'Shows the copy of a note', tag: 'Copies', permission: 'customer:read' })
  async read(@Caller() principal: Principal, @IdParam('id') id: string): Promise<object> {
    return {
      title: titleOf(
        await this.database.tenant(principal.tenantId, (tx) =>
          this.replicas.get<{ companyName: string }>(tx, 'customer', id),
        ),
      ),
    };
  }
}

@Internal('tenants-of-the-test')
class UnusedInternalController {
  @Get()
  read(): object {
    return { ok: true };
  }
}

/** Keeps copies of notes (it plays usage). */
@Module({ controllers: [CopyController, UnusedInternalController] })
class CopyModule {}

const kinds: ReplicaKind[] = ['customer'];
export const copyService = defineService({
  name: 'usage',
  customerData: { tables: [] },
  module: CopyModule,
  migrations: [],
  rows: [],
  replicas: kinds,
});
