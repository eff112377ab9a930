/** Every notification type with the parameters (all strings) that its readers get. */
export interface NotificationParameters {
  DocumentProcessingFailed: { documentId: string; documentTitle: string; reason: string };
  DocumentFiled: DocumentInFile;
  DocumentUnfiled: DocumentInFile;
  FileClosed: FileByActor;
  FileReopened: FileByActor;
  ConfidentialAccessGranted: { documentId: string; actorName: string };
  ConfidentialAccessRevoked: { documentId: string; actorName: string };
  ConfidentialUserAdded: { documentId: string; userId: string; actorName: string };
  AccessGranted: GrantByActor;
  AccessRevoked: GrantByActor;
  InvitationAccepted: { invitationId: string; email: string; userId: string };
  RoleChanged: { roleId: string; roleName: string; actorName: string };
}

export type NotificationType = keyof NotificationParameters;

interface DocumentInFile {
  documentId: string;
  documentTitle: string;
  fileId: string;
  fileNumber: string;
  fileName: string;
  actorName: string;
}

interface FileByActor {
  fileId: string;
  fileNumber: string;
  fileName: string;
  actorName: string;
}

interface GrantByActor {
  grantId: string;
  targetType: string;
  targetId: string;
  level: string;
  actorName: string;
}
