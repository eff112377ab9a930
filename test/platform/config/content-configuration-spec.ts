import { describe, expect, it } from '@jest/globals';
import { loadConfiguration } from '../../../src/platform/config/configuration.js';

const load = (environment: NodeJS.ProcessEnv) =>
  loadConfiguration({ OIDC_ISSUER: 'https://issuer.example', ...environment });

describe('loadConfiguration, for the content store', () => {
  it('uses the disk by default', () => {
    expect(load({})).toMatchObject({ contentStore: 'disk', uploadLimit: 104_857_600 });
  });

  it('reads all settings of a bucket', () => {
    const configuration = load({
      CONTENT_STORE: 's3',
      S3_BUCKET: 'records',
      S3_REGION: 'eu-central-1',
      S3_ENDPOINT: 'https://s3.example',
      S3_FORCE_PATH_STYLE: 'true',
      S3_PREFIX: 'filing/production',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_SERVER_SIDE_ENCRYPTION: 'aws:kms',
      S3_KMS_KEY_ID: 'alias/filing',
    });
    expect(configuration).toMatchObject({
      contentStore: 's3',
      s3Bucket: 'records',
      s3Region: 'eu-central-1',
      s3Endpoint: 'https://s3.example',
      s3ForcePathStyle: true,
      s3Prefix: 'filing/production/',
      s3AccessKeyId: 'id',
      s3SecretAccessKey: 'secret',
      s3ServerSideEncryption: 'aws:kms',
      s3KmsKeyId: 'alias/filing',
    });
  });

  it('reports all errors together', () => {
    const loadInvalid = () =>
      load({
        NODE_ENV: 'production',
        OIDC_ISSUER: '',
        CONTENT_STORE: 's3',
        S3_SECRET_ACCESS_KEY: 'hush',
        S3_KMS_KEY_ID: 'key',
        UPLOAD_LIMIT_BYTES: '52428800001',
      });
    for (const sentence of [
      /OIDC_ISSUER must be set in production/,
      /S3_BUCKET must be set with CONTENT_STORE=s3/,
      /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together/,
      /S3_KMS_KEY_ID needs S3_SERVER_SIDE_ENCRYPTION=aws:kms/,
      /UPLOAD_LIMIT_BYTES must be at most 52428800000 with CONTENT_STORE=s3/,
    ]) {
      expect(loadInvalid).toThrow(sentence);
    }
    expect(loadInvalid).not.toThrow(/hush/);
  });

  it('accepts a larger upload limit on disk', () => {
    expect(load({ UPLOAD_LIMIT_BYTES: '52428800001' }).uploadLimit).toBe(52_428_800_001);
  });
});
