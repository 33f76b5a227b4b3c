import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorNotice } from '../ui/states/error-notice.tsx'

/** Shown in the place of a screen that failed to render. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Page title="Something went wrong">
      <ErrorNotice error={error} title="This screen could not be shown" retry={reset} />
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="This page does not exist">
        <p>It may have been deleted, or the address is incomplete.</p>
        <Link to="/" className="link">
          All projects
        </Link>
      </EmptyState>
    </Page>
  )
}
