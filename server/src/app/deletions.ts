import { createAccessStore } from '../domains/access/index.ts'
import { turnDeletion } from '../domains/answering/index.ts'
import { createApplicationDeletionStore } from '../domains/applications/index.ts'
import { createChatDeletionStore } from '../domains/chats/index.ts'
import type { CleanupService } from '../domains/documents/index.ts'
import { eventDeletion, privateEventDeletion } from '../domains/events/index.ts'
import { feedbackDeletion } from '../domains/feedback/index.ts'
import { otlpDeletion } from '../domains/otlp/index.ts'
import { rollupDeletion } from '../domains/rollups/index.ts'
import { scoreDeletion } from '../domains/scores/index.ts'
import { scoringDeletion } from '../domains/scoring/index.ts'
import { testDeletion } from '../domains/testing/index.ts'
import { traceDeletion } from '../domains/traces/index.ts'
import { usageDeletion } from '../domains/usage/index.ts'
import { versionDeletion } from '../domains/versions/index.ts'
import { deletionJobs, deletionQueue } from '../jobs/index.ts'
import type { ServiceDependencies } from './dependencies.ts'
import type { EventServices } from './events.ts'

/** How projects, chats and applications are deleted: each domain deletes its own, in short transactions. */
export function startDeletions(
  { db }: ServiceDependencies,
  { jobs, cleanup }: Pick<EventServices, 'jobs'> & { cleanup: CleanupService },
): void {
  const access = createAccessStore(db)
  const chats = createChatDeletionStore(db)
  const applications = createApplicationDeletionStore(db)
  const project = {
    steps: [
      // Runs and batches first: they would go on to write traces and to call models.
      ...testDeletion(db),
      ...scoringDeletion(db),
      (projectId: string) => chats.ofProject(projectId),
      ...otlpDeletion(db),
      ...scoreDeletion(db),
      ...traceDeletion(db),
      ...rollupDeletion(db),
      ...versionDeletion(db),
      ...usageDeletion(db),
      ...eventDeletion(db),
    ],
    finish: (projectId: string) => access.finishDeletion(projectId),
  }
  const chat = {
    steps: [
      (chatId: string) => applications.ofChat(chatId),
      ...cleanup.deletionSteps(),
      ...turnDeletion(db),
      ...feedbackDeletion(db),
      ...privateEventDeletion(db),
    ],
    finish: (chatId: string) => chats.finish(chatId),
  }
  const application = {
    steps: [(appId: string) => applications.users(appId)],
    finish: (appId: string) => applications.finish(appId),
  }
  jobs.handle({ [deletionQueue]: deletionJobs({ project, chat, application }) })
}
