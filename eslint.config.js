import tseslint from 'typescript-eslint';

const UNCLEAR_WORDS = ['somebody', 'anybody', 'whoever', 'anew'];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'node_modules/',
      '.data/',
      'coverage/',
      'clients/typescript/schema.ts',
      'test/clients/story/',
      'test/clients/upload/',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      // CONTRIBUTING.md, "Language": say user, caller, member or client; again or retry.
      'no-warning-comments': ['error', { terms: UNCLEAR_WORDS, location: 'anywhere' }],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: `CallExpression[callee.name=/^(describe|it)$/] > Literal:first-child[value=/\\b(${UNCLEAR_WORDS.join('|')})\\b/i]`,
          message: 'Say who it is: user, caller, member or client (CONTRIBUTING.md, "Language").',
        },
      ],
    },
  },
  {
    files: ['src/resources/**/*.ts', 'src/platform/tenancy/**/*.ts'],
    ignores: [
      '**/*.repository.ts',
      '**/*.reader.ts',
      // They run once at the start, on the connection of the owner, before repositories exist.
      'src/platform/tenancy/users/{embedded-identities,issuer-changes}.ts',
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.property.name=/^query(All)?$/] :matches(Literal[value=/^\\s*[A-Z]+ /], TemplateLiteral)',
          message: 'Call a method of a repository or reader: only these contain SQL.',
        },
      ],
    },
  },
);
