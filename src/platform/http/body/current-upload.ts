import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { requestOf } from '../pipeline/request-state.js';
import { type UploadedContent } from './multipart-upload.js';

/** The content that came with the request's JSON; null when none did. */
export const CurrentUpload = createParamDecorator(
  (_: undefined, context: ExecutionContext): UploadedContent | null =>
    requestOf(context).state.upload ?? null,
);

/** The content that the request's body is. */
export const CurrentContent = createParamDecorator(
  (_: undefined, context: ExecutionContext): UploadedContent => {
    const { upload } = requestOf(context).state;
    if (!upload) throw new Error('The operation asks for content but does not declare that it takes any');
    return upload;
  },
);
