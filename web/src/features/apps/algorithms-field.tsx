import type { TokenAlgorithm } from '@cairn/sdk'
import { Checkbox } from '../../ui/field.tsx'

/** All algorithms of the API; the type finds missing and unknown names. */
const names: Record<TokenAlgorithm, true> = {
  RS256: true,
  RS384: true,
  RS512: true,
  PS256: true,
  PS384: true,
  PS512: true,
  ES256: true,
  ES384: true,
  ES512: true,
  EdDSA: true,
  Ed25519: true,
}
const algorithms = Object.keys(names) as TokenAlgorithm[]

/** Chooses the accepted signature algorithms of ID tokens. */
export function AlgorithmsField({
  chosen,
  onChange,
  error,
}: {
  chosen: readonly TokenAlgorithm[]
  onChange: (chosen: TokenAlgorithm[]) => void
  error: string | undefined
}) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">Signature algorithms</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(88px,1fr))] gap-1">
        {algorithms.map((name) => (
          <Checkbox
            key={name}
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChange(
                algorithms.filter((one) => (one === name ? event.target.checked : chosen.includes(one))),
              )
            }
          >
            {name}
          </Checkbox>
        ))}
      </div>
      <p className={error ? 'text-sm text-error' : 'text-sm text-fg-3'}>
        {error ?? 'The algorithms of your identity provider; most use RS256.'}
      </p>
    </fieldset>
  )
}
