import { Injectable } from '@nestjs/common';
import type { ReplicaKind } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';

/** One object of an owner, as its copies hold it: the event's `state` (for catalogue kinds, `state.object`). */
export interface OwnedObject {
  readonly id: string;
  readonly version: number;
  readonly data: unknown;
}

/** The owner's side of a kind of replica. */
export interface ReplicaProvider {
  /** The object in its present version; null when there is none. */
  fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null>;
  /** Creates what a tenant starts with, where that has not happened yet; called before each answer. */
  ensure?(tx: TenantTx): Promise<void>;
  /** Up to `limit` objects with an id greater than `after` (null: from the first), by id. */
  page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]>;
  /** Only the owner of `tenant`: ids of tenants greater than `after`, by id, so that others can copy everything. */
  tenants?(after: string | null, limit: number): Promise<string[]>;
}

const SOURCE = 'kontor:replica-source';

/** Marks a provider as the owner's side of a kind; service-kit finds it. */
export function ReplicaSource(kind: ReplicaKind): ClassDecorator {
  return (target) => {
    Injectable()(target);
    Reflect.defineMetadata(SOURCE, kind, target);
  };
}

export function replicaSourceOf(instance: unknown): ReplicaKind | undefined {
  if (typeof instance !== 'object' || instance === null || typeof instance.constructor !== 'function') return undefined;
  return Reflect.getMetadata(SOURCE, instance.constructor) as ReplicaKind | undefined;
}

/** The owner's providers of this service, by kind; filled at the start. */
export class ReplicaSources {
  private readonly providers = new Map<string, ReplicaProvider>();

  add(kind: string, provider: ReplicaProvider): void {
    this.providers.set(kind, provider);
  }

  get(kind: string): ReplicaProvider | undefined {
    return this.providers.get(kind);
  }
}
