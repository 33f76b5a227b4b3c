import { Link } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Empty, Page } from '../ui/page.tsx'

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
      <Empty title="There is nothing at this address">
        <p>It may have been deleted, or the address is not complete.</p>
        <Link to="/" className="link">
          To your projects
        </Link>
      </Empty>
    </Page>
  )
}
