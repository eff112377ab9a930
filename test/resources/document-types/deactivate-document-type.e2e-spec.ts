import { describe } from '@jest/globals';
import { activationCases } from './activation-cases.js';

describe('DeactivateDocumentType', () => activationCases('deactivate'));
