import { DomainError } from '@kontor/kernel';

interface DatabaseFailure {
  readonly code?: string;
  readonly constraint?: string;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** The PostgreSQL error behind a failed statement, sent through TypeORM or directly. */
const failureOf = (error: unknown): DatabaseFailure => {
  const { driverError, code, constraint } = error as { driverError?: DatabaseFailure } & DatabaseFailure;
  return driverError ?? { code, constraint };
};

/** 422: another object of the tenant has this value already. */
export const alreadyExists = (propertyPath: string): DomainError =>
  new DomainError('already_exists', {
    detail: `${propertyPath} must be unique: another object has this value.`,
    violations: [
      {
        propertyPath,
        message: `${propertyPath} must be unique: another object has this value.`,
        code: 'already_exists',
      },
    ],
  });

/**
 * Runs `work` and turns violations of named unique constraints into refusals.
 * @throws DomainError `already_exists` for the property that `constraints` gives for the violated constraint.
 */
export async function refusingDuplicates<T>(
  constraints: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint = '' } = failureOf(error);
    const property = code === UNIQUE_VIOLATION ? constraints[constraint] : undefined;
    throw property === undefined ? error : alreadyExists(property);
  }
}

/**
 * Runs a deletion and turns a foreign key's refusal into a DomainError.
 * @throws DomainError `in_use` when another row refers to what is deleted.
 */
export async function refusingWhileReferenced<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (failureOf(error).code !== FOREIGN_KEY_VIOLATION) throw error;
    throw new DomainError('in_use', { detail: `The ${what} is in use and can only be archived.` });
  }
}
