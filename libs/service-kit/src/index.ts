export { type LogDestination, logDestination } from './observability/log.js';
export { type Apart, ApartLimit, readApart } from './apart/read-apart.js';
export { eachInTurn, inTurns, LoopTurn } from './event-loop/loop-turn.js';
export { MODULE_EXTENSION, SAME_RUNTIME } from './apart/same-runtime.js';
export { Turns } from './apart/turns.js';
export { badParameter } from './http/bad-parameter.js';
export type { QueryOf } from './http/query.interceptor.js';
export { rewrapColumn } from './service/rewrap-secrets.js';
export { ZipArchive } from './archives/zip-archive.js';
export { zipHeaderSize } from './archives/zip-records.js';
export { ConfigurationError, type Environment, EnvReader } from './config/env-reader.js';
export { kafkaConnection } from './config/kafka-connection.js';
export { SecretBox } from './config/secret-box.js';
export { type LogLevel, ServiceConfig } from './config/service-config.js';
export { usableFolder } from './config/usable-folder.js';
export { describeDto, isDto } from './dto/describe-dto.js';
export { CustomerMergesModule } from './customer-merges/customer-merges.module.js';
export { customerMerged } from './customer-merges/customer-merged.js';
export { CustomerMover } from './customer-merges/customer-mover.js';
export { CustomerReferencesModule } from './customer-references/customer-references.module.js';
export { CustomerReferences } from './customer-references/customer-references.js';
export { decimalPattern } from './dto/decimal-pattern.js';
export * from './dto/fields.js';
export { MAX_LIST_ITEMS, readDto } from './dto/read-dto.js';
export { familyOf, isBearerSecret, newBearerSecret } from './http/bearer-secret.js';
export { createHttpAdapter, WAITED_HEADER } from './http/create-http-app.js';
export { followConnections } from './http/end-connections.js';
export { whenEnded } from './http/when-ended.js';
export { answerUnlessKnown } from './http/etag.js';
export { requestIdFrom, traceparentFrom } from './http/ids.js';
export { ipMatcher, isIpRange, rangesWithin } from './http/ip-ranges.js';
export { type FormField, readMultipart } from './http/multipart.js';
export { networkOf } from './http/network-of.js';
export { parseJsonBody, readJson, requireModest, requireStorable } from './http/json-body.js';
export { customerOf, ownCustomerId, ownList, refuseForeign } from './http/own-customer.js';
export { type FilterKind, type ListOptions, type ListQuery, readListQuery } from './http/list-query.js';
export { countMatching } from './http/count-matching.js';
export { type ListedTable, listRows, type SearchIndex } from './http/list-rows.js';
export {
  type ListColumn,
  type ListSql,
  listSql,
  type ListSqlOptions,
  type Page,
  page,
  type Total,
} from './http/list-sql.js';
export { type JsonSchema, Operation, type OperationOptions } from './http/operation.js';
export { canonicalPermission, CLOSED, isPermission, OPERATOR, PERMISSIONS, permits } from './http/permissions.js';
export {
  featureNotEnabled,
  foreignCustomer,
  invalidRequest,
  permissionDenied,
  type Problem,
  problem,
  PROBLEM_JSON,
  sandboxOnly,
  tenantSuspended,
  unauthenticated,
} from './http/problem.js';
export { tenantClosed } from '@kontor/persistence';
export { problemOf } from './http/problem-of.js';
export {
  currencyQuery,
  monthsQuery,
  monthStarts,
  readReportQuery,
  type ReportQuery,
  requiredMonthsQuery,
} from './http/report-query.js';
export { reportMoney } from './http/report-money.js';
export { actorOf, type RequestContext, requestContext, runInContext } from './http/request-context.js';
export { Caller, IdParam, List } from './http/route-params.js';
export { isStorableText } from './http/storable-text.js';
export { urlParts } from './http/url-parts.js';
export { NotTrusted, OutcomeUnknown, ServiceUnavailable } from './internal/errors.js';
export { type CallOptions, InternalClient, neverSent, wasCutOff, hasTimedOut } from './internal/internal-client.js';
export { packFiles, unpackFiles } from './internal/packed-files.js';
export { INTERNAL_TOKEN_HEADER, InternalTokens } from './internal/internal-token.js';
export {
  checkInvariants,
  describeViolations,
  type FileInvariant,
  type Invariant,
  planOf,
  type ServiceInvariant,
  type Violations,
  violationsOf,
} from './invariants/check-invariants.js';
export { Internal, OpenInternal } from './internal/internal.js';
export { ServiceDirectory } from './internal/service-directory.js';
export { createLog, Log } from './observability/log.js';
export { loggedPath } from './observability/logged-path.js';
export { Metrics, METRICS_TYPE } from './observability/metrics.js';
export { type RequestSpan, startRequestSpan, startTracing } from './observability/tracing.js';
export { BodyExample } from './dto/body-example.js';
export { completeDocument } from './openapi/complete-document.js';
export { freeFormsIn } from './openapi/free-forms.js';
export { documentFaults } from './openapi/document-faults.js';
export { embedded, linkEmbedded } from './openapi/embedded.js';
export { exampleIdOf, kindOf } from './openapi/example-id.js';
export { type OpenApiDocument, openApiDocument, routesOf } from './openapi/openapi-document.js';
export { escapeHtml } from './pages/escape-html.js';
export { CANCELLATION_PATH, type LegalLinks, legalLinksOf } from './pages/legal-footer.js';
export { type AnswerPage, notNowPage } from './pages/not-now-page.js';
export { languageFor, type PageLanguage } from './pages/page-language.js';
export { layout, lookRights, type PageFrame, type PageRights, publicPageHeaders } from './pages/page-layout.js';
export { accentStyle, NO_LOOK, type SellerLook } from './pages/page-look.js';
export { refuseOtherSites } from './pages/own-site.js';
export { redirectTo, sendPage } from './pages/send-page.js';
export { AddressRefused, guardedLookup } from './outbound/guarded-lookup.js';
export { guardedAgent, outboundAgent } from './outbound/outbound-agent.js';
export { isAllowedAddress, type Reach, reachOf, refusalOfAddress } from './outbound/public-address.js';
export {
  BOOKS,
  BUSINESS_LETTERS,
  type CustomerData,
  type CustomerTable,
  type Obstacle,
  VOUCHERS,
} from './personal-data/customer-table.js';
export { customerAnonymized } from './personal-data/customer-anonymized.js';
export { EraseTenant } from './personal-data/erase-tenant.js';
export { erasureReport } from './personal-data/erasure-report.schema.js';
export { fileLookup } from './personal-data/erasure-migration.js';
export { keepFilesInMind, removeFiles, storeForRow } from './personal-data/remove-files.js';
export type { KeptTable, TenantData } from './personal-data/tenant-data.js';
export { WriteExport } from './personal-data/write-export.js';
export { obstaclesIn } from './personal-data/erase-customer.js';
export { ReplicaFreshness } from './replicas/replica-freshness.js';
export { type OwnedObject, type ReplicaProvider, ReplicaSource } from './replicas/replica-source.js';
export { defineService, migrationsOf, type ServiceDefinition } from './service/define-service.js';
export { endOnSignals, endProcess } from './service/end-process.js';
export { refuseHost, startAdvice } from './service/explain-start.js';
export { limitHeapGrowth } from './service/limit-heap-growth.js';
export { databasePasswords, runService } from './service/run-service.js';
export type { DatabaseUrls, StartOptions } from './service/start-options.js';
export { startService } from './service/start-service.js';
export { type RunningService, stopServices } from './service/stop-services.js';
