import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { requestOf } from '../pipeline/request-state.js';
import { type UploadedContent } from './multipart-upload.js';

/** The content that was uploaded with the JSON document; null without content. */
export const CurrentUpload = createParamDecorator(
  (_: undefined, context: ExecutionContext): UploadedContent | null =>
    requestOf(context).state.upload ?? null,
);

export const CurrentContent = createParamDecorator(
  (_: undefined, context: ExecutionContext): UploadedContent => {
    const { upload } = requestOf(context).state;
    if (!upload) throw new Error('The handler uses @CurrentContent, but its @Endpoint has no contentBody');
    return upload;
  },
);
