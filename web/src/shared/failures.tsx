import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorNotice } from '../ui/states/error-notice.tsx'

/** A screen that could not be made. */
export function PageFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Page title="Something went wrong">
      <ErrorNotice error={error} title="This page could not be shown" retry={reset} />
    </Page>
  )
}

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is nothing at this address">
        <p>It may have been deleted, or the address is not complete.</p>
        <Link to="/" className="link">
          To your projects
        </Link>
      </EmptyState>
    </Page>
  )
}
