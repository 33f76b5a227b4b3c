import { type Static, Type } from 'typebox'

/** What an end user reads about themselves. */
export const Profile = Type.Object({
  success: Type.Literal(true),
  user_id: Type.String(),
  external_user_id: Type.String({ description: 'the subject of the ID token' }),
  chat_id: Type.String({ description: 'the permanent private sub-chat' }),
  app_id: Type.String(),
  issuer: Type.String(),
  subchat_created: Type.Boolean({ description: 'true in the call alone that made the sub-chat' }),
  privacy_info: Type.Object({
    oauth_provider: Type.String(),
    permanent_subchat: Type.Literal(true),
    data_isolation: Type.String(),
    developer_access: Type.String(),
  }),
})
export type Profile = Static<typeof Profile>
