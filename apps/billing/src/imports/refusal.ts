import { type DomainError, storableText } from '@kontor/kernel';

/** Why a line was refused, as its report says it. */
export const refusalOf = (error: DomainError): { code: string; message: string; propertyPath: string | null } => {
  const [violation] = error.violations;
  return {
    code: violation?.code ?? error.reason,
    message: storableText(violation?.message ?? error.message, 1000),
    propertyPath: violation?.propertyPath ?? null,
  };
};
