import { DOCUMENT_PROBLEMS } from './document-problems.js';
import { RECORDS_PROBLEMS } from './records-problems.js';
import { REQUEST_PROBLEMS } from './request-problems.js';
import { SERVICE_PROBLEMS } from './service-problems.js';
import { TENANT_PROBLEMS } from './tenant-problems.js';

/** The page `/problems` has the same order. */
export const PROBLEMS = {
  ...REQUEST_PROBLEMS,
  ...DOCUMENT_PROBLEMS,
  ...RECORDS_PROBLEMS,
  ...TENANT_PROBLEMS,
  ...SERVICE_PROBLEMS,
};

export type ProblemCode = keyof typeof PROBLEMS;

export const ALL_PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[];

export function isProblemCode(value: string): value is ProblemCode {
  return Object.hasOwn(PROBLEMS, value);
}
