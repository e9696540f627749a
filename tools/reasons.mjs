// `npm run generate`: which `reason`s each operation may answer, found by following its handler through the code to every DomainError that
// it can reach. With --check: fails when the committed list would change.
import 'reflect-metadata';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'apps/api-gateway/src/openapi/reasons.ts');

/** Functions of the libs that make a DomainError, and its reason. */
const MAKERS = {
  notFound: 'not_found',
  unknownReference: 'unknown_reference',
  validationFailed: 'validation_failed',
  invalidTransition: 'invalid_status_transition',
  invalidRequest: 'invalid_request',
  permissionDenied: 'permission_denied',
  featureNotEnabled: 'feature_not_enabled',
  foreignCustomer: 'foreign_customer',
  refuseForeign: 'not_found',
  sandboxOnly: 'sandbox_only',
  customerMerged: 'customer_merged',
  customerAnonymized: 'customer_anonymized',
  unauthenticated: 'unauthenticated',
  appendEvent: 'event_too_large',
  appendEvents: 'event_too_large',
};

/** Functions of the libs that are given the reason: as which of their arguments. */
const GIVEN = { keepWithin: 2 };

const isSource = (file) => /\/apps\/[^/]+\/src\//.test(file) && !file.endsWith('.d.ts');

function sourceProgram() {
  const files = globSync('apps/*/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.spec.ts'))
    .map((file) => join(root, file));
  const config = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  return ts.createProgram(files, {
    ...options,
    noEmit: true,
    composite: false,
    incremental: false,
    skipLibCheck: true,
  });
}

const program = sourceProgram();
const checker = program.getTypeChecker();

/** What keeps the promise of an interface's member: members of classes that implement it, of objects that are one. */
const keepers = new Map();
function keep(owner, member) {
  const of = owner?.declarations?.find((declaration) => ts.isInterfaceDeclaration(declaration));
  const name = member.name?.getText();
  if (!of || !name || !isSource(of.getSourceFile().fileName)) return;
  const promise = of.members.find((signature) => signature.name?.getText() === name);
  if (promise) keepers.set(promise, [...(keepers.get(promise) ?? []), member]);
}
function findKeepers(node) {
  if (ts.isClassDeclaration(node))
    for (const { types } of node.heritageClauses ?? [])
      for (const type of types) {
        const { symbol } = checker.getTypeAtLocation(type);
        for (const member of node.members) if (ts.isMethodDeclaration(member)) keep(symbol, member);
      }
  if (ts.isObjectLiteralExpression(node)) {
    const symbol = checker.getContextualType(node)?.symbol;
    if (symbol) for (const member of node.properties) if (!ts.isSpreadAssignment(member)) keep(symbol, member);
  }
  ts.forEachChild(node, findKeepers);
}
for (const file of program.getSourceFiles()) if (isSource(file.fileName)) findKeepers(file);

/** What a name in the code stands for, as far as it is code of an app. */
function declarationsOf(node) {
  let symbol = checker.getSymbolAtLocation(node);
  if (!symbol) return [];
  if (symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  return (symbol.declarations ?? []).filter((declaration) => isSource(declaration.getSourceFile().fileName));
}

const isCode = (node) =>
  ts.isFunctionLike(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isClassDeclaration(node);

const textsIn = (node) => {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
  return [];
};

/** Which parameters of a function become the reason of a DomainError in it. */
const reasonParameters = (declaration) => {
  const code = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  if (!code || !ts.isFunctionLike(code)) return [];
  const names = new Set();
  const visit = (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'DomainError' && node.arguments?.[0])
      if (ts.isIdentifier(node.arguments[0])) names.add(node.arguments[0].text);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(code, visit);
  return code.parameters.flatMap((parameter, n) => (names.has(parameter.name.getText()) ? [n] : []));
};

/** What a piece of code throws itself, and what it leads to. */
const found = new Map();
function lookAt(declaration) {
  const known = found.get(declaration);
  if (known) return known;
  const result = { reasons: new Set(), next: new Set() };
  found.set(declaration, result);
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isDecorator(node)) return;
    if (ts.isNewExpression(node) && node.expression.getText() === 'DomainError')
      for (const reason of textsIn(node.arguments?.[0])) result.reasons.add(reason);
    if (ts.isCallExpression(node)) {
      const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      if (Object.hasOwn(GIVEN, name.getText()))
        for (const reason of textsIn(node.arguments[GIVEN[name.getText()]])) result.reasons.add(reason);
      for (const callee of declarationsOf(name))
        for (const n of reasonParameters(callee))
          for (const reason of textsIn(node.arguments[n])) result.reasons.add(reason);
    }
    if (ts.isIdentifier(node)) {
      if (Object.hasOwn(MAKERS, node.text)) result.reasons.add(MAKERS[node.text]);
      for (const other of declarationsOf(node)) {
        if (other !== declaration && isCode(other)) result.next.add(other);
        for (const keeper of keepers.get(other) ?? []) result.next.add(keeper);
        // What a property does was said where it was made.
        if (ts.isPropertyDeclaration(other))
          for (const member of other.parent.members) if (ts.isConstructorDeclaration(member)) result.next.add(member);
      }
    }
    ts.forEachChild(node, visit);
  };
  // Of a class that is only named, its members are reached by their own names.
  if (!ts.isClassDeclaration(declaration)) ts.forEachChild(declaration, visit);
  return result;
}

function reasonsOf(start) {
  const reasons = new Set();
  const seen = new Set([start]);
  for (const declaration of seen) {
    const direct = lookAt(declaration);
    for (const reason of direct.reasons) reasons.add(reason);
    for (const other of direct.next) seen.add(other);
  }
  return reasons;
}

/** `Class.method` of every handler with `@Operation`. */
function handlers() {
  const all = new Map();
  const visit = (node) => {
    if (
      ts.isMethodDeclaration(node) &&
      (ts.getDecorators(node) ?? []).some((it) => /^@Operation\b/.test(it.getText()))
    ) {
      const name = `${node.parent.name?.getText() ?? ''}.${node.name.getText()}`;
      all.set(name, new Set([...(all.get(name) ?? []), ...reasonsOf(node)]));
    }
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) if (isSource(file.fileName)) ts.forEachChild(file, visit);
  return all;
}

/** Every controller of a service, through the modules that it imports. */
function controllersOf(module, seen = new Set()) {
  if (!module || seen.has(module)) return [];
  seen.add(module);
  const { module: inner, controllers = [], imports = [] } = typeof module === 'object' ? module : { module };
  const said = (key) => Reflect.getMetadata(key, inner) ?? [];
  return [
    ...controllers,
    ...said('controllers'),
    ...[...imports, ...said('imports')].flatMap((other) => controllersOf(other, seen)),
  ];
}

const { routesOf } = await import('@kontor/service-kit');
const byHandler = handlers();
const byOperation = {};
for (const app of ['billing', 'identity', 'invoicing', 'notifications', 'offers', 'payments', 'usage', 'webhooks']) {
  const exported = await import(join(root, `apps/${app}/dist/index.js`));
  const service = Object.values(exported).find((value) => value?.module && value?.migrations);
  for (const controller of new Set(controllersOf(service.module)))
    for (const { handler, operation } of routesOf(controller)) {
      const names = [`${controller.name}.${handler}`, `.${handler}`];
      const reasons = names.flatMap((name) => [...(byHandler.get(name) ?? [])]);
      byOperation[operation.id] = [...new Set([...(byOperation[operation.id] ?? []), ...reasons])].sort();
    }
}

const lines = Object.entries(byOperation)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([id, reasons]) => `  ${id}: [${reasons.map((reason) => `'${reason}'`).join(', ')}],`);
const text = `/* eslint-disable max-lines -- generated: a line for each reason of each operation. */
/** Generated by \`npm run generate\` from the code: the reasons that each operation may answer, beside those of all. */
export const REASONS: Readonly<Record<string, readonly string[]>> = {
${lines.join('\n')}
};
`;
const formatted = await format(text, { ...(await resolveConfig(target)), parser: 'typescript' });
const before = existsSync(target) ? readFileSync(target, 'utf8') : '';
if (process.argv.includes('--check')) {
  if (before !== formatted) {
    console.error('apps/api-gateway/src/openapi/reasons.ts is stale: run npm run generate');
    process.exit(1);
  }
  console.log('reasons are up to date');
} else {
  writeFileSync(target, formatted);
  console.log(`${lines.length} operations, ${new Set(Object.values(byOperation).flat()).size} reasons`);
}
