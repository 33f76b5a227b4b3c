import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Model } from './model.ts'
import { type Positions, placesOf } from './positions.ts'

const numbers = new WeakMap<Model, number>()
let last = 0

/** A number for each loaded graph, as a query key. */
function numberOf(model: Model): number {
  const number = numbers.get(model) ?? ++last
  numbers.set(model, number)
  return number
}

/** The positions of a graph; the previous positions stay until the new layout is computed. */
export function usePlaces(chatId: string, model: Model): { places: Positions | undefined; error: unknown } {
  const { data, error } = useQuery({
    queryKey: ['places', chatId, numberOf(model)],
    queryFn: ({ signal }) => placesOf(chatId, model, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10_000,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
  return { places: data, error: error ?? undefined }
}
