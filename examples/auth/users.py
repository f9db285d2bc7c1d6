"""Who calls, and what is theirs: every thread, run, assistant, cron and item of the store belongs to a tenant."""

from typing import Any

from langgraph_sdk import Auth

# In your system: verify a signed token, and take identity and tenant from its claims.
USERS = {
    "key-of-ann": {"identity": "ann", "tenant": "acme"},
    "key-of-bob": {"identity": "bob", "tenant": "bolt"},
}

auth = Auth()


@auth.authenticate
async def who(authorization: str | None) -> Any:
    user = USERS.get((authorization or "").removeprefix("Bearer "))
    if user is None:
        raise Auth.exceptions.HTTPException(status_code=401, detail="Send `Authorization: Bearer KEY`.")
    return user


@auth.on
async def only_of_the_tenant(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Mark what is made, and hide what others made: their ids are not found (404)."""
    mine = {"tenant": ctx.user["tenant"]}
    if ctx.action in ("create", "create_run", "update"):
        value.setdefault("metadata", {}).update(mine)  # in place: the server reads it from there
    return mine


@auth.on.assistants
async def own_and_built_in(ctx: Auth.types.AuthContext, value: Any) -> Any:
    """Show the server's own assistants to all; nobody can make one that passes for such."""
    if ctx.action in ("create", "update"):
        marks = {"tenant": ctx.user["tenant"], "created_by": ctx.user.identity}
        value.setdefault("metadata", {}).update(marks)
    if ctx.action in ("read", "search"):
        return {"$or": [{"tenant": ctx.user["tenant"]}, {"created_by": "system"}]}
    return {"tenant": ctx.user["tenant"]}


@auth.on.store
async def own_namespace(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Keep items of the store apart; what `cancel_run` writes is looked for below the identity."""
    value["namespace"] = (ctx.user.identity, *(value.get("namespace") or ()))
