"""Linear: teams, tickets, milestones; the state over time and the reading tools."""
