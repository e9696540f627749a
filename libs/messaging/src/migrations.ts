/** Same shape as persistence's migrations: forward only, run once, in order of their names. */
export interface MessagingMigration {
  readonly name: string;
  readonly sql: string;
}

const OUTBOX = `
create table outbox (
  id bigint generated always as identity (cache 1),
  event_id uuid not null,
  tenant_id uuid not null,
  aggregate_id text not null,
  aggregate_seq bigint not null check (aggregate_seq > 0),
  topic text not null,
  type text not null,
  payload text not null,
  headers text not null,
  effective_at timestamptz not null,
  day date not null default (now() at time zone 'UTC')::date,
  primary key (id, day)
) partition by range (day);
create table outbox_default partition of outbox default;

create table relay_state (
  only_row boolean primary key default true check (only_row),
  leader_epoch bigint not null default 0,
  last_id bigint not null default 0
) with (fillfactor = 20);
insert into relay_state default values;

create table published_count (
  tenant_id uuid not null,
  type text not null,
  n bigint not null,
  primary key (tenant_id, type)
) with (fillfactor = 50);

create table outbox_quarantine (
  outbox_id bigint primary key,
  event_id uuid not null,
  tenant_id uuid not null,
  topic text not null,
  aggregate_id text not null,
  release boolean not null default false,
  quarantined_at timestamptz not null default now()
);`;

const INBOX = `
create table inbox (
  consumer text not null,
  day date not null,
  event_id uuid not null,
  primary key (consumer, day, event_id)
) partition by range (day);
create table inbox_default partition of inbox default;

create table applied_count (
  tenant_id uuid not null,
  consumer text not null,
  type text not null,
  slot smallint not null,
  n bigint not null,
  primary key (tenant_id, consumer, type, slot)
) with (fillfactor = 50);

create table parked (
  id bigint generated always as identity primary key,
  consumer text not null,
  event_id uuid not null,
  tenant_id uuid not null,
  type text not null,
  topic text not null,
  aggregate_id text not null,
  envelope text not null,
  reason text not null check (reason in ('poison', 'behind')),
  error text,
  parked_at timestamptz not null default now(),
  unique (consumer, event_id)
);
create index parked_by_aggregate on parked (consumer, tenant_id, topic, aggregate_id, id);
create index parked_by_tenant on parked (tenant_id);

create table bus_offset (
  consumer_group text not null,
  topic text not null,
  position bigint not null,
  primary key (consumer_group, topic)
) with (fillfactor = 50);`;

/** Runs as the owner, so that the app role can keep partitions without owning tables. */
const MAINTENANCE = `
create function messaging_maintain(outbox_days integer, inbox_days integer) returns integer
language plpgsql security definer set search_path from current as $$
declare
  parent text;
  first_day date := (now() at time zone 'UTC')::date;
  wanted date;
  old record;
  dropped integer := 0;
begin
  set local lock_timeout = '2s';
  foreach parent in array array['outbox', 'inbox'] loop
    for wanted in select first_day + n from generate_series(0, 3) as n loop
      if to_regclass(format('%I', parent || '_' || to_char(wanted, 'YYYYMMDD'))) is null then
        begin
          execute format('create table %I partition of %I for values from (%L) to (%L)',
            parent || '_' || to_char(wanted, 'YYYYMMDD'), parent, wanted, wanted + 1);
        exception when check_violation then
          null; -- rows of that day are in the default partition already: they stay there
        end;
      end if;
    end loop;
    for old in
      select c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_[0-9]{8}$')
    loop
      continue when old.day >= first_day - (case parent when 'outbox' then outbox_days else inbox_days end);
      if parent = 'outbox' then
        declare unpublished boolean;
        begin
          execute format('select exists (select from %I where id > (select last_id from relay_state))', old.relname) into unpublished;
          continue when unpublished;
        end;
      end if;
      execute format('drop table %I', old.relname);
      dropped := dropped + 1;
    end loop;
  end loop;
  delete from inbox_default where day < first_day - inbox_days;
  return dropped;
end $$;
select messaging_maintain(30, 35);`;

/** Counted by the group's offsets instead of by each consumer: a consumer that is added later changes nothing. */
const COUNTS = `
drop table applied_count;
delete from bus_offset;
create table consumed_count (
  tenant_id uuid not null,
  type text not null,
  n bigint not null,
  primary key (tenant_id, type)
) with (fillfactor = 50);`;

/** Tables of this lib in every service's database; they carry no row-level security and are touched by this lib alone. */
export const messagingMigrations: MessagingMigration[] = [
  { name: '0000_messaging_1_outbox', sql: OUTBOX },
  { name: '0000_messaging_2_inbox', sql: INBOX },
  { name: '0000_messaging_3_maintenance', sql: MAINTENANCE },
  { name: '0000_messaging_4_counts_by_group', sql: COUNTS },
];

/** Tables that carry no row-level security, for the test that lists every table without a policy. */
export const MESSAGING_TABLES_WITHOUT_POLICY = [
  'outbox', 'relay_state', 'published_count', 'outbox_quarantine', 'inbox', 'consumed_count', 'parked', 'bus_offset',
] as const; // prettier-ignore
