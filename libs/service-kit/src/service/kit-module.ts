import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BlobStore, Database, DueRunner, Replicas } from '@kontor/persistence';
import { Messaging, ParkedMessages } from '@kontor/messaging';
import { ClockController } from '../clock/clock.controller.js';
import { SecretBox } from '../config/secret-box.js';
import { ServiceConfig } from '../config/service-config.js';
import { InternalClient } from '../internal/internal-client.js';
import { InternalTokens } from '../internal/internal-token.js';
import { ServiceDirectory } from '../internal/service-directory.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { EraseCustomer } from '../personal-data/erase-customer.js';
import { ExportController } from '../personal-data/export.controller.js';
import { ExportData } from '../personal-data/export-data.js';
import { WriteExport } from '../personal-data/write-export.js';
import { ErasureController } from '../personal-data/erasure.controller.js';
import { EraseTenant } from '../personal-data/erase-tenant.js';
import { TenantErasureController } from '../personal-data/tenant-erasure.controller.js';
import { CopyWatch } from '../replicas/copy-watch.js';
import { ReplicaFreshness } from '../replicas/replica-freshness.js';
import { ReplicaCopierController, ReplicaOwnerController } from '../replicas/replica.controllers.js';
import { ReplicaSources } from '../replicas/replica-source.js';
import { HealthController, MetricsController, OpenApiController } from './operational.controllers.js';
import { StoredNoticesController } from './stored-notices.controller.js';
import { OperatorWatch } from './operator-watch.js';
import { ServiceState } from './service-state.js';

/** Everything that a service finds injectable without importing anything. */
export interface Kit {
  readonly config: ServiceConfig;
  readonly database: Database;
  readonly replicas: Replicas;
  readonly blobs: BlobStore;
  readonly client: InternalClient;
  readonly tokens: InternalTokens;
  readonly directory: ServiceDirectory;
  readonly dueRunner: DueRunner;
  readonly freshness: ReplicaFreshness;
  readonly messaging: Messaging;
  readonly secrets: SecretBox;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly state: ServiceState;
  readonly sources: ReplicaSources;
  readonly watch: CopyWatch;
  readonly operatorWatch: OperatorWatch;
  readonly eraseCustomer: EraseCustomer;
  readonly eraseTenant: EraseTenant;
  readonly exportData: ExportData;
  /** Whether the storage guard is somebody else's. */
  readonly sharesStorage: boolean;
}

@Module({})
export class KitModule {
  static with(kit: Kit): DynamicModule {
    const providers: Provider[] = [
      { provide: ServiceConfig, useValue: kit.config },
      { provide: Database, useValue: kit.database },
      { provide: Replicas, useValue: kit.replicas },
      { provide: BlobStore, useValue: kit.blobs },
      { provide: InternalClient, useValue: kit.client },
      { provide: InternalTokens, useValue: kit.tokens },
      { provide: ServiceDirectory, useValue: kit.directory },
      { provide: DueRunner, useValue: kit.dueRunner },
      { provide: ReplicaFreshness, useValue: kit.freshness },
      { provide: Messaging, useValue: kit.messaging },
      { provide: ParkedMessages, useValue: kit.messaging.parked },
      { provide: SecretBox, useValue: kit.secrets },
      { provide: Log, useValue: kit.log },
      { provide: Metrics, useValue: kit.metrics },
      { provide: ServiceState, useValue: kit.state },
      { provide: ReplicaSources, useValue: kit.sources },
      { provide: CopyWatch, useValue: kit.watch },
      { provide: OperatorWatch, useValue: kit.operatorWatch },
      { provide: EraseCustomer, useValue: kit.eraseCustomer },
      { provide: EraseTenant, useValue: kit.eraseTenant },
      { provide: ExportData, useValue: kit.exportData },
      { provide: WriteExport, useValue: new WriteExport(kit.client, kit.log) },
    ];
    const controllers = [
      HealthController,
      MetricsController,
      OpenApiController,
      ReplicaOwnerController,
      ReplicaCopierController,
      ClockController,
      StoredNoticesController,
      ErasureController,
      TenantErasureController,
      ExportController,
    ];
    return {
      module: KitModule,
      global: true,
      providers,
      controllers,
      exports: providers.map((provider) => (provider as { provide: Function }).provide),
    };
  }
}

/** The application's root: the kit and the service's own module. */
@Module({})
export class ServiceRoot {
  static of(kit: Kit, service: Function): DynamicModule {
    return { module: ServiceRoot, imports: [KitModule.with(kit), service as DynamicModule['module']] };
  }
}
