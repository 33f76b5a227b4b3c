import type { Client } from '@cairn/sdk'
import type { Page } from 'playwright-core'

/** What screens are shown with: made once, over the API. */
export interface Sample {
  client: Client
  /** A project full of everything. */
  projectId: string
  /** A project with nothing in it. */
  emptyProjectId: string
  /** A chat with documents, and one without. */
  graphChatId: string
  emptyChatId: string
  /** An application with users. */
  appId: string
}

export interface ScreenShot {
  name: string
  path: (sample: Sample) => string
  /** What to wait for, and to click or fill before the picture is taken. */
  prepare: (page: Page, sample: Sample) => Promise<unknown>
  /** It illustrates the guides: `docs/guides/screens/<name>.png`. */
  inGuides?: boolean
}
