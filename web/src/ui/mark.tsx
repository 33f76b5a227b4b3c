const shapes = {
  success: 'M4.500 8.200l2.300 2.300 4.700-5',
  error: 'M5.500 5.500l5 5m0-5l-5 5',
  info: 'M8 7.200v4M8 4.700v.1',
}

/** A state: an icon and a word, never a colour alone. */
export function Mark({ kind, children }: { kind: keyof typeof shapes; children: string }) {
  return (
    <span className={`mark ${kind}`}>
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.500"
        aria-hidden="true"
      >
        <circle cx="8" cy="8" r="7" />
        <path d={shapes[kind]} strokeLinecap="round" strokeLinejoin="round" />
      </svg>
      {children}
    </span>
  )
}
